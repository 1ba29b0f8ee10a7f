// Runs the rating program. Python and the program are loaded once; every request after that takes milliseconds.
// Made from a blob by rate.js, so that the page's Content-Security-Policy also holds here.
const SIZE = @SIZE@; // bytes that loading reads
const base = self.CROSSTABLE_BASE;
const fetched = self.fetch.bind(self);
let loaded = 0;

// Count what arrives, for the progress bar.
self.fetch = async (resource, options) => {
  const response = await fetched(resource, options);
  if (!response.ok || !response.body) return response;
  const counting = new TransformStream({
    transform(chunk, out) {
      loaded += chunk.byteLength;
      self.postMessage({ loaded: Math.min(loaded / SIZE, 1) });
      out.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counting), { headers: response.headers, status: response.status });
};

async function unpack(python, fetching) {
  const response = await fetching;
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  python.unpackArchive(await response.arrayBuffer(), "zip", { extractDir: "/program" });
}

// Python's memory just after the start, kept by the browser: the next visit continues from there. It is taken before
// any file is opened, so it holds the program only. Its name changes with the program.
const STARTED = "started-@PROGRAM@";
const memory = new URL("started-memory", base);

async function keptMemory() {
  for (const name of await caches.keys()) {
    if (name.startsWith("started-") && name !== STARTED) await caches.delete(name);
  }
  return (await (await caches.open(STARTED)).match(memory))?.arrayBuffer();
}

async function keepMemory(bytes) {
  await (await caches.open(STARTED)).put(memory, new Response(bytes));
}

async function start(kept) {
  const program = self.fetch(new URL("program.zip", base));
  const { loadPyodide } = await import(new URL("runtime/pyodide.mjs", base));
  const python = await loadPyodide({
    indexURL: new URL("runtime/", base).href,
    ...(kept ? { _loadSnapshot: kept } : { _makeSnapshot: true }),
  });
  await unpack(python, program);
  if (!kept) {
    python.runPython("import sys; sys.path.insert(0, '/program'); from crosstable.browser.calls import warm_up; warm_up()");
    keepMemory(python.makeMemorySnapshot()).catch(() => {}); // without storage, every visit is a first visit
  }
  return { python, call: python.pyimport("crosstable.browser.calls").call };
}

async function startFast() {
  const kept = await keptMemory().catch(() => undefined);
  if (!kept) return start();
  try {
    return await start(kept);
  } catch {
    await caches.delete(STARTED);
    return start();
  }
}

const ready = startFast();
let workbooks; // openpyxl, only where a workbook is read or written

function needsWorkbooks(name, given, data) {
  return (name === "write" && given.format === "xlsx") || (data && data[0] === 0x50 && data[1] === 0x4b);
}

self.onmessage = async ({ data: { id, name, given, data } }) => {
  try {
    const { python, call } = await ready;
    if (needsWorkbooks(name, given, data)) await (workbooks ??= unpack(python, self.fetch(new URL("workbooks.zip", base))));
    const answer = JSON.parse(call(name, JSON.stringify(given), python.toPy(data ?? new Uint8Array())));
    self.postMessage({ id, answer });
  } catch (error) {
    self.postMessage({ id, answer: { problem: `The rating program stopped: ${error.message}. Reload the page.` } });
  }
};

self.postMessage({ ready: true });
