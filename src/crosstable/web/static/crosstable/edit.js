// Typing into the crosstable of a report: a cell opens where it is, Enter saves it, Esc leaves it as it was.
// Without JavaScript each cell is a link to a page with the same field.
"use strict";
(() => {
  const MIRROR = { W: "L", L: "W", D: "D", X: "F", F: "X" };
  const VERBS = { W: "beat", L: "lost to", D: "drew with", X: "won by forfeit against", F: "lost by forfeit to" };
  const BYES = { B: "full-point bye", H: "half-point bye", U: "did not play", "": "did not play" };
  const said = document.body.appendChild(document.createElement("p"));
  said.className = "hide";
  said.setAttribute("role", "status");
  let open = null;

  const parts = (link) => new URLSearchParams(link.getAttribute("href").split("?")[1]);
  const rowOf = (section, number) => document.getElementById(`s${section}p${number}`);
  const nameIn = (row) => row.querySelector("[data-field=name]").firstChild.textContent.trim();
  const element = (tag, name, text) => Object.assign(document.createElement(tag), { className: name, textContent: text });

  function message(row, words, ...controls) {
    const line = element("tr", "msg said", "");
    const cell = line.appendChild(element("td", "", ""));
    cell.colSpan = row.cells.length;
    const box = cell.appendChild(element("div", "findbox", ""));
    box.append(element("p", "", words), ...controls);
    row.after(line);
    return line;
  }

  // What the typed text means, and what the opponent's cell becomes.
  function meaning(link, typed) {
    const at = parts(link), section = at.get("section"), turn = at.get("round");
    if (!turn) return { words: "" };
    const own = nameIn(rowOf(section, at.get("player")));
    if (typed in BYES) return { words: `${own}: ${BYES[typed]}.` };
    const game = typed.match(/^([WDLXF])\s*(\d{1,4})\s*([WB]?)$/);
    const other = game && rowOf(section, game[2]);
    if (!other || game[2] === at.get("player")) return { words: "W4, D4, L4: against number 4. B, H: a bye. U: not played." };
    const cell = [...other.querySelectorAll(".rd .cell")].find((one) => parts(one).get("round") === turn);
    const mirror = `${MIRROR[game[1]]}${at.get("player")}`;
    return { words: `${own} ${VERBS[game[1]]} ${nameIn(other)}. Row ${game[2]} becomes ${mirror}.`, cell, mirror };
  }

  function show() {
    open.mirrored?.classList.remove("mirror");
    open.mirrored?.removeAttribute("data-becomes");
    const { words, cell, mirror } = meaning(open.link, open.field.value.trim().toUpperCase());
    open.hint.querySelector("p").textContent = `${words} Enter saves, Esc cancels.`.trim();
    open.mirrored = cell;
    cell?.classList.add("mirror");
    cell?.setAttribute("data-becomes", mirror);
  }

  function close(focus) {
    if (!open) return;
    const { link, field, hint, mirrored } = open;
    open = null;
    mirrored?.classList.remove("mirror");
    mirrored?.removeAttribute("data-becomes");
    hint.remove();
    field.replaceWith(link);
    if (focus) link.focus();
  }

  function edit(link) {
    close(false);
    document.querySelector("tr.said")?.remove();
    const at = parts(link), field = element("input", "typing", "");
    field.value = link.dataset.cell;
    field.autocomplete = "off";
    field.maxLength = at.get("round") ? 20 : 120;
    if (at.get("round")) field.setAttribute("autocapitalize", "characters");
    if (link.dataset.field === "id") field.inputMode = "numeric";
    field.setAttribute("aria-label", link.textContent.replace(/ Edit$/, ""));
    const save = element("button", "btn main", "Save"), cancel = element("button", "btn", "Cancel");
    const buttons = element("div", "row", "");
    buttons.append(save, cancel);
    const hint = message(link.closest("tr"), "", buttons);
    hint.querySelector("p").id = "cell-hint";
    hint.querySelector("p").setAttribute("role", "status");
    field.setAttribute("aria-describedby", "cell-hint");
    link.replaceWith(field);
    open = { link, field, hint, mirrored: null };
    show();
    field.addEventListener("input", show);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") { event.preventDefault(); send(); }
      if (event.key === "Escape") { event.preventDefault(); close(true); }
    });
    save.addEventListener("click", send);
    cancel.addEventListener("click", () => close(true));
    field.focus();
    field.select();
    hint.scrollIntoView({ block: "nearest" });
  }

  function values() {
    const at = parts(open.link), action = at.get("round") ? "cell" : open.link.dataset.field;
    at.delete("field");
    return { mend: `action=${action}&${at}`, [action]: open.field.value.trim() };
  }

  async function send() {
    if (!open || open.sending) return;
    if (open.field.value.trim() === open.link.dataset.cell) { close(true); return; }
    open.sending = true;
    const form = document.getElementById("mend"), body = new FormData(form), given = values();
    for (const [name, value] of Object.entries(given)) body.append(name, value);
    let answer = null;
    try { answer = await fetch(form.action, { method: "POST", body }); } catch { /* said below */ }
    if (!answer) { problem("The office cannot be reached. Your text is still here: try again."); return; }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const refused = page.getElementById("problem");
    if (answer.ok && page.getElementById("mend")) arrived(page);
    else if (refused) problem(refused.textContent);
    else whole(form, given);  // signed out, say: the page that answers tells what to do
  }

  function problem(words) {
    open.sending = false;
    open.hint.querySelector("p").textContent = words;
    open.field.setAttribute("aria-invalid", "true");
    open.field.focus();
  }

  function whole(form, given) {
    for (const [name, value] of Object.entries(given)) {
      const field = form.appendChild(document.createElement("input"));
      Object.assign(field, { name, value, hidden: true });
    }
    form.requestSubmit();
  }

  // The page as it is now, with the same cell in focus, and what was changed said beside it.
  function arrived(page) {
    const href = open.link.getAttribute("href"), words = page.querySelector("main [role=status]")?.textContent || "Saved.";
    open = null;
    document.querySelector("main").replaceWith(page.querySelector("main"));
    const link = [...document.querySelectorAll("a.cell")].find((one) => one.getAttribute("href") === href);
    if (!link) return;
    for (let part = link.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    said.textContent = words;
    link.focus();
    message(link.closest("tr"), words).scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opener = event.target.closest("[data-opens]");
    const link = opener ? [...document.querySelectorAll("a.cell")].find((one) => one.getAttribute("href") === opener.dataset.opens)
      : event.target.closest("a.cell");
    if (!link) return;
    event.preventDefault();
    edit(link);
  });
})();
