// The director's desk: dropping a file. It works without this, with a button more.
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
