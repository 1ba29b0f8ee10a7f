// Passkeys. The buttons are hidden until this runs: without JavaScript, or where the browser has no passkeys, codes do it.
"use strict";

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");
const known = (list) => (list || []).map((key) => ({ ...key, id: bytes(key.id) }));

async function made(options) {
  const asked = { ...options.publicKey, challenge: bytes(options.publicKey.challenge) };
  if (!asked.user) return navigator.credentials.get({ publicKey: { ...asked, allowCredentials: known(asked.allowCredentials) } });
  asked.user = { ...asked.user, id: bytes(asked.user.id) };
  return navigator.credentials.create({ publicKey: { ...asked, excludeCredentials: known(asked.excludeCredentials) } });
}

function written(key) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"])
    if (key.response[name]) response[name] = text(key.response[name]);
  return JSON.stringify({
    id: key.id, rawId: text(key.rawId), type: key.type, response,
    authenticatorAttachment: key.authenticatorAttachment, clientExtensionResults: key.getClientExtensionResults(),
  });
}

async function options(form) {
  const here = form.querySelector("script[type='application/json']");
  if (here) return JSON.parse(here.textContent);
  const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
  return (await answer.json()).request_options;
}

for (const form of window.PublicKeyCredential ? document.querySelectorAll("form[data-passkey]") : []) {
  form.hidden = false;
  for (const other of document.querySelectorAll("[data-with-passkey]")) other.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = form.querySelector("[role=alert]");
    said.hidden = true;
    try {
      form.elements.credential.value = written(await made(await options(form)));
    } catch (problem) {
      said.hidden = false;
      return;
    }
    form.submit();
  });
}
