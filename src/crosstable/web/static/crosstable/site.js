// Small conveniences. Everything on every page works without them.
"use strict";

// Printing, and copying an address: shown only where they can do something.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-print]");
  if (button) window.print();
});
for (const button of document.querySelectorAll("[data-print]")) button.hidden = false;
