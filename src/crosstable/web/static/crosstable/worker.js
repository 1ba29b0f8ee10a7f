// Keeps the night's page and what it is made of, so that a phone without contact can load it again.
// The network always comes first. Locking the phone deletes what is kept and ends the worker.
"use strict";
const KEPT = "crosstable-club";
let locked = false;
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (pathname === "/club/leave/") {
    locked = true;
    event.waitUntil(Promise.all([caches.delete(KEPT), self.registration.unregister()]));
  }
  if (locked) return;
  const wanted = event.request.method === "GET" && origin === self.location.origin;
  if (!wanted || !(pathname === "/club/" || pathname.startsWith("/static/"))) return;
  event.respondWith((async () => {
    const cache = await caches.open(KEPT);
    try {
      const answer = await fetch(event.request);
      if (answer.ok && !answer.redirected) await cache.put(pathname, answer.clone());
      return answer;
    } catch (lost) {
      const kept = await cache.match(pathname, { ignoreVary: true });
      if (kept) return kept;
      throw lost;
    }
  })());
});
