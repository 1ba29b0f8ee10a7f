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
