// A club night on a phone that may lose contact: taps are kept here, sent in order, and taken once by the server.
// Without this script the same buttons send a form.
"use strict";
(() => {
  const KEY = "crosstable-club-taps";
  const RETRY = 4000;
  const news = document.getElementById("news");
  const kept = document.getElementById("kept");
  let sending = false;

  const read = () => keeping.read(KEY) || [];
  const write = (taps) => keeping.write(KEY, taps);
  const word = (count) => (count === 1 ? kept.dataset.one : kept.dataset.many.replace("#", count));
  const say = (text) => { news.textContent = text; };

  // randomUUID wants an encrypted page, which a laptop in a classroom does not serve
  const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) => one.toString(16).padStart(2, "0")).join("");

  function tell(text, link) {
    kept.hidden = !text;
    kept.textContent = text;
    if (link) {
      const anchor = document.createElement("a");
      anchor.href = link;
      anchor.textContent = kept.dataset.pin;
      kept.append(" ", anchor);
    }
  }

  // What a tap looks like before the server has answered; also after a page was loaded with taps still waiting.
  function show(tap) {
    const form = document.querySelector(`form[data-tap] input[name=board][value="${CSS.escape(String(tap.board))}"]`)?.form;
    if (!form) return;
    for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === tap.result));
    label();
  }

  async function refresh() {
    const answer = await fetch("/club/", { credentials: "same-origin" });
    if (!answer.ok || new URL(answer.url).pathname !== "/club/") return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("night");
    const old = document.getElementById("night");
    if (!page || page.dataset.pulse === old.dataset.pulse) return;
    const open = new Set(Array.from(old.querySelectorAll("details[open] > summary"), (one) => one.textContent));
    const typed = old.querySelector("#new")?.value;
    const ticked = new Set(Array.from(old.querySelectorAll("[name=here]:checked"), (one) => one.value));
    const focus = document.activeElement;
    const place = focus?.form?.elements.board ? [focus.form.elements.board.value, focus.value] : null;
    const id = focus?.id;
    const scroll = window.scrollY;
    old.replaceWith(page);
    for (const one of page.querySelectorAll("details")) if (open.has(one.querySelector("summary").textContent)) one.open = true;
    if (typed) page.querySelector("#new").value = typed;
    for (const one of page.querySelectorAll("[name=here]")) one.checked = ticked.has(one.value);
    if (place) document.querySelector(`#board-${CSS.escape(place[0])} button[value="${CSS.escape(place[1])}"]`)?.focus({ preventScroll: true });
    else if (id) document.getElementById(id)?.focus({ preventScroll: true });
    window.scrollTo(0, scroll);
    read().forEach(show);
  }

  async function send() {
    const taps = read();
    if (sending || !taps.length) return;
    sending = true;
    try {
      const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
      const answer = await fetch("/club/taps/", {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        body: JSON.stringify({ taps }),
      });
      if (answer.status === 403) { tell(word(taps.length), "/club/enter/"); return; }
      if (!answer.ok) throw new Error(String(answer.status));
      const done = new Map((await answer.json()).taps.map((one) => [one.key, one]));
      write(read().filter((tap) => !done.has(tap.key)));
      const last = taps[taps.length - 1];
      const wrong = [...done.values()].filter((one) => ["disagree", "gone", "refused"].includes(one.outcome));
      tell(wrong.map((one) => one.message).join(" "));
      await refresh();
      const sentence = document.querySelector(`#board-${CSS.escape(String(last.board))} .said`)?.textContent;
      say(wrong.length ? wrong[wrong.length - 1].message : sentence || kept.dataset.taken);
    } catch {
      tell(`${word(taps.length)} ${kept.dataset.lost}`);
      kept.dataset.waiting = "1";
    } finally {
      sending = false;
    }
    if (read().some((tap) => !taps.some((one) => one.key === tap.key))) send();
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-tap]") || !event.submitter) return;
    event.preventDefault();
    const waiting = read().filter((tap) => tap.board === Number(form.elements.board.value)).pop();
    const tap = { key: key(), board: Number(form.elements.board.value), result: event.submitter.value, seen: waiting ? waiting.result : form.elements.seen.value };
    write([...read(), tap]);
    show(tap);
    send();
  });

  function label() {
    const button = document.querySelector('[formaction$="/club/undo/"]');
    if (!button) return;
    button.dataset.text ??= button.textContent;
    button.textContent = read().length ? kept.dataset.undo : button.dataset.text;
  }

  // Without contact, undo takes back the last tap that has not been sent.
  function pressed(form) {
    const board = Number(form.elements.board.value);
    const last = read().filter((tap) => tap.board === board).pop();
    return last ? last.result : form.elements.seen.value;
  }
  document.addEventListener("submit", (event) => {
    if (!event.submitter?.formAction.endsWith("/club/undo/")) return;
    const taps = read();
    const last = taps.pop();
    if (last && !sending) {
      event.preventDefault();
      write(taps);
      const form = document.querySelector(`form[data-tap] input[name=board][value="${CSS.escape(String(last.board))}"]`)?.form;
      if (form) show({ board: last.board, result: pressed(form) });
      label();
      tell(taps.length ? word(taps.length) : "");
      say(kept.dataset.undone);
    } else if (!navigator.onLine) {
      event.preventDefault();
      tell(kept.dataset.noundo);
    }
  }, true);

  // The page itself is kept on this phone, so that it can be loaded again without contact. It goes when the phone is locked.
  if (navigator.serviceWorker) {
    const parts = [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]")].map((one) => one.href || one.src);
    navigator.serviceWorker.register("/club/worker.js", { scope: "/club/" })
      .then(() => navigator.serviceWorker.ready).then(() => caches.open("crosstable-club"))
      .then((cache) => Promise.all(["/club/", ...parts.map((one) => new URL(one).pathname)].map(async (path) => {
        const answer = await fetch(path, { credentials: "same-origin" });
        if (answer.ok && !answer.redirected) await cache.put(path, answer);
      }))).then(() => { document.documentElement.dataset.kept = "1"; }).catch(() => { /* the page works without */ });
  }

  async function look() {
    if (document.hidden) return;
    if (read().length) { await send(); return; }
    try {
      const answer = await fetch("/club/pulse/", { credentials: "same-origin" });
      const here = document.getElementById("night").dataset.pulse;
      if (answer.ok && (await answer.text()) !== here) await refresh();
      if (kept.dataset.waiting) { delete kept.dataset.waiting; tell(""); }
    } catch { /* the next look may reach it */ }
  }

  read().forEach(show);
  window.addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  setInterval(look, RETRY);
  look();
})();
