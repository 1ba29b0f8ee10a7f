// The page: takes a file, asks the worker, shows the answer. The answers are HTML that the rating program has escaped.
const base = new URL("./", location.href);
const part = (id) => document.getElementById(id);
const waiting = new Map();
let worker, number = 0, shown = null;

function started() {
  if (worker) return worker;
  // A worker made from a blob keeps the page's Content-Security-Policy; one made from an address would not.
  const source = `self.CROSSTABLE_BASE = ${JSON.stringify(base.href)}; await import(${JSON.stringify(new URL("worker.js", base).href)});`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  worker = new Worker(address, { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.ready) for (const message of early.splice(0)) worker.postMessage(...message);
    if (data.ready) isReady = true;
    if ("loaded" in data) part("progress").value = 100 * data.loaded;
    if (data.id) waiting.get(data.id)?.(data.answer);
    waiting.delete(data.id);
  };
  worker.onerror = () => problem("The rating program could not be loaded. Connect to the internet once and reload the page.");
  return worker;
}

const early = []; // what is asked before the worker listens
let isReady = false;

export function ask(name, given = {}, data = null) {
  started();
  const id = ++number;
  const message = [{ id, name, given, data }, data ? [data.buffer] : []];
  if (isReady) worker.postMessage(...message); else early.push(message);
  return new Promise((answered) => waiting.set(id, answered));
}

function problem(text) {
  part("problem").textContent = text ?? "";
  part("problem").hidden = !text;
  part("loading").hidden = true;
}

async function working(text, asked) {
  problem("");
  part("status").textContent = text;
  part("loading").hidden = false;
  const answer = await asked;
  part("loading").hidden = true;
  if (answer.problem) problem(answer.problem);
  return answer;
}

function show(answer) {
  if (answer.problem) return;
  part("rated").hidden = false;
  part("result-part").innerHTML = answer.html;
  part("titles-answer").innerHTML = answer.titles;
  part("one").hidden = true;
  for (const [name, text] of Object.entries(answer.said)) {
    const field = part("say").elements[name];
    if (field && field.tagName === "INPUT") field.value = text;
  }
  part("undo").hidden = !answer.fixes;
  part("say-details").open = !answer.rated;
  part("losses").textContent = "The files are made on this computer.";
  part("result").focus({ preventScroll: true });
  part("result").scrollIntoView();
  const first = document.querySelector("[data-why]");
  if (first) why(first, false);
}

async function open(files) {
  const parts = [], names = [];
  for (const file of files) {
    parts.push(new Uint8Array(await file.arrayBuffer()));
    names.push({ name: file.name, size: file.size });
  }
  const data = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of parts) { data.set(one, at); at += one.length; }
  const name = names.length === 1 ? names[0].name : "report.zip";
  show(await working(`Rating ${name}.`, ask("open", { name, parts: names }, data)));
}

async function why(button, follow = true) {
  const [section, pairing, pool] = button.dataset.why.split(" ");
  shown = { section: Number(section), number: Number(pairing), pool };
  for (const one of document.querySelectorAll("[data-why][aria-current]")) one.removeAttribute("aria-current");
  for (const one of document.querySelectorAll("tr.here")) one.classList.remove("here");
  button.setAttribute("aria-current", "true");
  button.closest("tr").classList.add("here");
  const answer = await ask("why", shown);
  if (answer.problem) return problem(answer.problem);
  part("why-part").innerHTML = answer.html;
  part("whatif").innerHTML = answer.form;
  part("one").hidden = false;
  if (follow) { part("why").focus({ preventScroll: true }); part("why").scrollIntoView({ block: "nearest" }); }
}

async function whatIf() {
  const results = Object.fromEntries(new FormData(part("whatif")));
  const answer = await ask("what-if", { ...shown, results });
  const box = part("whatif-answer");
  box.hidden = !answer.html && !answer.problem;
  if (answer.problem) box.textContent = answer.problem; else box.innerHTML = answer.html;
}

async function download(format) {
  const answer = await working("Writing the file.", ask("write", { format }));
  if (answer.problem) return;
  const data = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data]));
  link.download = answer.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  const lost = answer.losses.length ? ` This format cannot hold: ${answer.losses.join("; ")}.` : "";
  part("losses").textContent = `${answer.name} was made on this computer.${lost}`;
}

async function tool(form, name, target) {
  const answer = await working("Calculating.", ask(name, Object.fromEntries(new FormData(form))));
  if (!answer.problem) part(target).innerHTML = answer.html;
}

function options(select, list, value, text) {
  for (const one of list) {
    if ([...select.options].some((option) => option.value === one[value])) continue;
    select.append(new Option(one[text], one[value]));
  }
}

async function about() {
  const answer = await ask("about");
  if (answer.problem) return;
  options(part("say-ratings"), answer.pools, "key", "title");
  options(part("e-pool"), answer.pools, "key", "title");
  options(part("r-system"), answer.systems, "key", "title");
  for (const one of answer.formats) {
    const button = document.createElement("button");
    button.className = "btn";
    button.type = "button";
    button.textContent = `${one.title} (${one.suffix})`;
    button.addEventListener("click", () => download(one.name));
    part("downloads").append(button);
  }
}

const drop = part("drop");
for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.remove("over"); });
drop.addEventListener("drop", (event) => event.dataTransfer.files.length && open([...event.dataTransfer.files]));
part("file").addEventListener("change", (event) => event.target.files.length && open([...event.target.files]));

document.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.id === "paste-form") open([new File([part("paste").value], "pasted.txt")]);
  if (form.dataset.fix) {
    const [finding, fix] = form.dataset.fix.split(" ").map(Number);
    working("Fixing.", ask("fix", { finding, fix, typed: Object.fromEntries(new FormData(form)) })).then(show);
  }
  if (form.id === "say") working("Rating again.", ask("say", Object.fromEntries(new FormData(form)))).then(show);
  if (form.id === "estimate-form") tool(form, "estimate", "estimate-answer");
  if (form.id === "rules-form") tool(form, "rules", "rules-answer");
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-why]");
  if (button) why(button);
  const example = event.target.closest("[data-example]");
  if (example) {
    event.preventDefault();
    const name = example.dataset.example;
    const response = await fetch(new URL(`examples/${name}`, base));
    open([new File([await response.arrayBuffer()], name)]);
  }
});
part("undo").addEventListener("click", () => working("Undoing.", ask("undo")).then(show));
part("whatif").addEventListener("change", whatIf);
part("whatif").addEventListener("reset", () => { part("whatif-answer").hidden = true; });

// Installing, and working offline
let offered;
addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); offered = event; part("install").hidden = false; });
part("install").addEventListener("click", () => offered?.prompt());
if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("sw.js", base)).catch(() => {});

about();
