// The director's desk: dropping a file, and typing results. Both work without this, with a button more.
"use strict";

// A file that is dropped on the form is read at once.
for (const form of document.querySelectorAll(".drop")) {
  const field = form.querySelector("input[type=file]");
  form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("here"); });
  form.addEventListener("dragleave", () => form.classList.remove("here"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    field.files = event.dataTransfer.files;
    if (field.files.length) form.requestSubmit();
  });
}

// Typing: Enter and the arrows go from row to row; what was typed is saved at every pause, and kept until it is.
const grid = document.getElementById("grid");
if (grid) {
  const saved = document.getElementById("saved");
  let timer = 0, saving = false, changed = false;

  const save = async () => {
    if (saving) return;
    saving = true;
    changed = false;
    try {
      const answer = await fetch(grid.action, { method: "POST", body: new FormData(grid), headers: { "X-Autosave": "1" }, keepalive: true });
      const said = await answer.json();
      if (answer.ok) grid.elements.version.value = said.version;
      saved.textContent = answer.ok ? `Saved ${said.saved}` : said.problem;
    } catch {
      changed = true;
      saved.textContent = "Not saved yet: no connection. It is tried again.";
    }
    saving = false;
    if (changed) timer = setTimeout(save, 3000);
  };

  grid.addEventListener("input", () => {
    changed = true;
    clearTimeout(timer);
    timer = setTimeout(save, 800);
  });
  document.addEventListener("visibilitychange", () => {  // another tab, or the phone goes into a pocket
    if (!document.hidden || !changed) return;
    clearTimeout(timer);
    save();
  });
  grid.addEventListener("submit", () => { clearTimeout(timer); changed = false; });
  window.addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

  grid.addEventListener("keydown", (event) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const cell = event.target.closest("td");
    if (!step || !cell) return;
    const row = cell.parentElement[step > 0 ? "nextElementSibling" : "previousElementSibling"];
    event.preventDefault();
    row?.cells[cell.cellIndex].querySelector("input")?.focus();
  });
}
