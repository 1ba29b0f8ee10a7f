// Typing a report: Enter and the arrows go from row to row, and what was typed is saved at every pause.
// Until the server has it, the browser keeps it: no lost connection and no ended session takes a cell away.
"use strict";
(() => {
  const grid = document.getElementById("grid");
  const saved = document.getElementById("saved");
  const notice = document.getElementById("unsaved");
  const restored = document.getElementById("restored");
  const page = new URL(grid.action).pathname;
  const key = `${TYPED}${signedInAs}${page}`;
  const PAUSE = 800, RETRY = 3000;
  let cells = {};  // typed, and not on the server yet
  let asked = null;  // kept from an earlier visit, while the question about them is open
  let timer = 0, running = null, leaving = false, stored = true;

  const alike = (text) => text.trim().toUpperCase();  // the server writes w2 as W2
  const waiting = () => Object.keys(cells).length > 0;
  const later = (pause) => { clearTimeout(timer); timer = setTimeout(save, pause); };

  function store() {
    const all = { ...asked?.cells, ...cells };
    if (!Object.keys(all).length) { keeping.drop((one) => one === key); return; }
    stored = keeping.write(key, { version: asked ? asked.version : grid.elements.version.value, cells: all });
  }

  // At the lower edge of the window, so that it is seen from every row.
  Object.assign(notice.style, { position: "sticky", bottom: "0", background: "var(--paper)" });
  function warn(text, link) {
    notice.hidden = !text;
    document.documentElement.style.scrollPaddingBottom = text ? "8rem" : "";
    if (text) saved.textContent = "Not saved yet";
    if (notice.textContent === text + (link ? ` ${link.text}` : "")) return;  // said once is enough for who listens
    notice.textContent = text;
    if (!link) return;
    const anchor = document.createElement("a");
    anchor.href = link.href;
    anchor.textContent = link.text;
    if (!stored) anchor.target = "_blank";
    notice.append(" ", anchor);
  }

  const post = () => {
    const body = new URLSearchParams(new FormData(grid)).toString();
    const headers = { "X-Autosave": "1", "Content-Type": "application/x-www-form-urlencoded" };
    // a browser refuses to finish more than 64 kB after the page is gone
    return fetch(page, { method: "POST", body, headers, redirect: "manual", keepalive: body.length < 60000 });
  };

  const pageNow = async () => {
    const answer = await fetch(page, { redirect: "manual" });
    return { answer, form: answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("grid") : null };
  };

  // After signing in in another tab the old token does not fit. The page has the new one.
  async function postWithNewToken() {
    const { answer, form } = await pageNow();
    if (!form) return answer;
    for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = form.elements.csrfmiddlewaretoken.value;
    return post();
  }

  // The answer to an earlier save was lost: the server has a newer version, but nothing that is not from this page.
  async function postOverOurOwn(refused) {
    const { form } = await pageNow();
    const ours = (field) => [field.value, field.defaultValue].some((text) => alike(text) === alike(form.elements[field.name]?.value ?? ""));
    const fields = [...grid.elements].filter((one) => one.matches("input") && !["version", "csrfmiddlewaretoken"].includes(one.name));
    if (!form || !fields.every(ours)) return refused;
    grid.elements.version.value = form.elements.version.value;
    return post();
  }

  async function attempt() {
    const sent = { ...cells };
    const kept = stored ? "What you typed is kept in this browser" : "Leave this page open";
    let answer;
    try {
      answer = await post();
      if (answer.status === 403) answer = await postWithNewToken();
      if (answer.status === 409) answer = await postOverOurOwn(answer);
    } catch {
      warn(`Not saved yet: no connection. ${kept}, and saving is tried again.`);
      later(RETRY);
      return false;
    }
    if (answer.type === "opaqueredirect" || answer.status === 401) {
      const link = { href: `${grid.dataset.signIn}?next=${encodeURIComponent(page)}`, text: "Sign in here; what you typed is kept." };
      warn("You were signed out.", stored ? link : { ...link, text: "Sign in here, and leave this page open." });
      if (!document.hidden) later(RETRY);
      return false;
    }
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) {
      warn(`Not saved. ${said.problem || `The office answered ${answer.status}.`} ${kept}.`);
      if (answer.status >= 500) later(RETRY);
      return false;
    }
    grid.elements.version.value = said.version;
    for (const [name, value] of Object.entries(sent)) {
      if (grid.elements[name]) grid.elements[name].defaultValue = value;
      if (cells[name] === value) delete cells[name];
    }
    store();
    warn("");
    saved.textContent = `Saved ${said.saved}`;
    if (waiting()) later(PAUSE);
    return true;
  }

  async function save() {
    clearTimeout(timer);
    while (running) await running;
    running = attempt();
    try { return await running; } finally { running = null; }
  }

  grid.addEventListener("input", (event) => {
    cells[event.target.name] = event.target.value;
    store();
    later(PAUSE);
  });
  document.addEventListener("visibilitychange", () => { if (waiting()) save(); });  // another tab, or the phone goes into a pocket
  grid.addEventListener("submit", async (event) => {
    if (leaving) return;
    event.preventDefault();
    const button = event.submitter;
    if (!await save()) return;  // the notice beside the button says why
    leaving = true;
    grid.requestSubmit(button);
  });
  window.addEventListener("pageshow", () => { leaving = false; });
  window.addEventListener("beforeunload", (event) => { if (waiting() && !stored) event.preventDefault(); });

  grid.addEventListener("keydown", (event) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const cell = event.target.closest("td");
    if (!step || !cell) return;
    const row = cell.parentElement[step > 0 ? "nextElementSibling" : "previousElementSibling"];
    event.preventDefault();
    row?.cells[cell.cellIndex].querySelector("input")?.focus();
  });

  // What an earlier visit could not save.
  const fill = (kept) => {
    for (const [name, value] of Object.entries(kept.cells)) if (grid.elements[name]) grid.elements[name].value = value;
    cells = { ...kept.cells, ...cells };
    asked = null;
    store();
    save();
  };
  const choice = (text, act) => {
    const button = document.createElement("button");
    button.className = "btn";
    button.textContent = text;
    button.addEventListener("click", () => { restored.hidden = true; act(); });
    restored.append(" ", button);
  };
  const kept = keeping.read(key);
  const other = Object.entries(kept?.cells || {}).filter(([name, value]) => grid.elements[name] && alike(grid.elements[name].value) !== alike(value));
  const count = other.length === 1 ? "1 cell" : `${other.length} cells`;
  if (!other.length) store();
  else if (kept.version === grid.elements.version.value) {
    restored.hidden = false;
    restored.textContent = `Filled in again, because it was not saved before: ${count}.`;
    fill(kept);
  } else {
    asked = kept;
    restored.hidden = false;
    restored.textContent = `This browser kept what was not saved (${count}), but the report was saved elsewhere since. Which one do you want to keep?`;
    choice("What I typed here", () => fill(kept));
    choice("The report as it is now", () => { asked = null; store(); });
  }
})();
