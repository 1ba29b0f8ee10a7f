// Small conveniences. Everything on every page works without them.
"use strict";

// Printing, and copying an address: shown only where they can do something.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-print]");
  if (button) window.print();
});
for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;

// What the browser keeps until the server has it: taps of a club night, cells of a typed report.
const keeping = {
  read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } },
  write(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; } },
  drop(wanted) { try { Object.keys(localStorage).filter(wanted).forEach((key) => localStorage.removeItem(key)); } catch { /* nothing is kept */ } },
};

// Typed cells hold children's names. They go when their owner signs out, when another person signs in, and with the sent report.
const TYPED = "crosstable-typed:";
const signedInAs = document.querySelector("[data-person]")?.dataset.person;
if (signedInAs) keeping.drop((key) => key.startsWith(TYPED) && !key.startsWith(`${TYPED}${signedInAs}/`));
document.addEventListener("submit", (event) => {
  const path = event.target.getAttribute("action") || location.pathname;
  const over = path.match(/^(\/desk\/drafts\/\d+\/)(send|ask|discard)\/$/);
  if (path === "/desk/sign-out/") keeping.drop((key) => key.startsWith(TYPED));
  if (over) keeping.drop((key) => key === `${TYPED}${signedInAs}${over[1]}type/`);
});

// A desk form that the office did not get, because its sender was signed out or its token too old, has its text again when
// its page is opened. This tab alone keeps it, without passwords, files and hidden fields, for the person who typed it.
(() => {
  const KEY = "crosstable-form", AGAIN = 3000;
  const ordinary = (field) => field.name && !["hidden", "password", "file", "submit", "button"].includes(field.type);
  const read = () => { try { return JSON.parse(sessionStorage.getItem(KEY)); } catch { return null; } };
  const write = (kept) => { try { sessionStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* nothing is kept */ } };
  const drop = () => { try { sessionStorage.removeItem(KEY); } catch { /* nothing was kept */ } };
  const address = (form) => form.getAttribute("action") || "";

  function restore(kept) {
    const form = [...document.forms].find((one) => one.method === "post" && address(one) === kept.action
      && kept.fields.every(([name]) => one.elements[name]));
    if (!form) return;
    for (const field of [...form.elements].filter(ordinary)) {
      const values = kept.fields.filter(([name]) => name === field.name).map(([, value]) => value);
      if (field.type === "checkbox" || field.type === "radio") field.checked = values.includes(field.value);
      else if (values.length) field.value = values[0];
    }
    for (let part = form.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    const note = document.createElement("p");
    note.className = "note";
    note.setAttribute("role", "status");
    note.textContent = "This form was not sent before. Your text is back: check it and send it again.";
    form.prepend(note);
  }

  const kept = read();
  if (kept && document.querySelector("[data-form-lost]")) write({ ...kept, lost: true });
  else if (kept && signedInAs) {
    if (kept.person !== signedInAs || !kept.lost) drop();
    else if (kept.page === location.pathname + location.search) { drop(); restore(kept); }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || form.id === "grid") return;
    if (form.dataset.sending) { event.preventDefault(); return; }  // a double click sends once
    form.dataset.sending = "1";
    setTimeout(() => delete form.dataset.sending, AGAIN);
    const fields = [...form.elements].filter((one) => ordinary(one) && (one.checked || !["checkbox", "radio"].includes(one.type)));
    if (!signedInAs || !location.pathname.startsWith("/desk/") || !fields.length) return;
    const page = location.pathname + location.search;
    write({ person: signedInAs, page, action: address(form), fields: fields.map((one) => [one.name, one.value]) });
  });
  addEventListener("pageshow", () => { for (const form of document.forms) delete form.dataset.sending; });
})();

// Public pages are the same for everyone, so that they can be cached. Who has signed in is asked for apart.
(async () => {
  const place = document.getElementById("me");
  if (!place || !/(?:^|; )desk=1(?:;|$)/.test(document.cookie)) return;
  try {
    const answer = await fetch("/desk/me/", { credentials: "same-origin" });
    if (answer.status === 200) place.outerHTML = await answer.text();
  } catch { /* the link to sign in stays */ }
})();

// Search suggests while one types: players and events together (the combobox pattern of the ARIA guide).
for (const input of document.querySelectorAll("[data-suggest]")) {
  const WAIT = 120;
  const list = document.createElement("div");
  list.className = "suggest";
  list.id = `${input.id}-suggest`;
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", input.labels[0]?.textContent.trim() || input.placeholder);
  input.form.append(list);
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", list.id]]) input.setAttribute(name, value);
  let timer, asked = 0;
  const options = () => [...list.querySelectorAll("[role=option]")];
  const chosen = () => options().find((one) => one.getAttribute("aria-selected") === "true");

  function show(open) {
    list.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    if (!open) input.removeAttribute("aria-activedescendant");
  }
  function choose(option) {
    for (const one of options()) one.setAttribute("aria-selected", String(one === option));
    if (!option) { input.removeAttribute("aria-activedescendant"); return; }
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }
  async function ask() {
    const typed = input.value.trim(), mine = ++asked;
    if (typed.length < 2) { show(false); return; }
    try {
      const answer = await fetch(`${input.dataset.suggest}?q=${encodeURIComponent(typed)}`, { headers: { "HX-Request": "true" } });
      const text = await answer.text();
      if (mine !== asked || !answer.ok || answer.redirected || document.activeElement !== input) return;
      list.innerHTML = text;
      options().forEach((one, at) => { one.id = `${list.id}-${at}`; });
      choose(null);
      show(true);
    } catch { show(false); }
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, WAIT); });
  input.addEventListener("keydown", (event) => {
    const all = options(), at = all.indexOf(chosen());
    if (event.key === "Escape" && !list.hidden) { event.preventDefault(); show(false); }
    else if (event.key === "Enter" && !list.hidden && at >= 0) { event.preventDefault(); all[at].click(); }
    else if (event.key === "ArrowDown" && list.hidden) { ask(); }
    else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && all.length) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      choose(all[(at + step + all.length + (at < 0 && step < 0 ? 1 : 0)) % all.length]);
    }
  });
  input.addEventListener("blur", () => setTimeout(() => { if (!list.contains(document.activeElement)) show(false); }, 150));
  list.addEventListener("mousedown", (event) => event.preventDefault());
}
