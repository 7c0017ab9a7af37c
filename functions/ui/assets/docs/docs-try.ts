import { findAll } from "../elements.ts";

/**
 * Sends an operation's example, as the reader edits it. The token comes from {auth_url} in the address's fragment,
 * which no server sees, and stays in this tab.
 */

const KEY = "docs-token";
/** Random text of this browser's, which comes back with a token that the docs asked for. RFC 6749 §10.12 */
const STATE = "docs-token-state";
/** Characters of a reply. */
const MOST_SHOWN = 20_000;

/** A browser may close its storage to a page: then it throws, or is not there. */
function opened(name: "sessionStorage" | "localStorage"): Storage | undefined {
  try {
    return window[name] ?? undefined;
  } catch {
    return undefined;
  }
}
const ofTab = opened("sessionStorage");
const ofBrowser = opened("localStorage");

takeToken();
for (const place of findAll(document, ".try", HTMLElement)) offer(place);

function takeToken(): void {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("access_token");
  if (token === null) return;
  const state = ofBrowser?.getItem(STATE) ?? null;
  // Somebody's link could bring their own token, and what the reader sends would be done in their account.
  if (state !== null && fragment.get("state") === state) ofTab?.setItem(KEY, token);
  const at = fragment.get("at");
  // The token leaves the address before anything can copy it from there.
  history.replaceState(null, "", at ? `#${at}` : location.pathname);
  if (at) document.getElementById(at)?.scrollIntoView();
}

function offer(place: HTMLElement): void {
  const button = elementOf("button", { type: "button", className: "button quiet", textContent: "Try it" });
  button.addEventListener("click", () => button.replaceWith(panelOf(place.dataset)));
  place.append(button);
}

function panelOf({
  method = "",
  path = "",
  body,
  needsToken,
  tokenPage = "",
}: DOMStringMap): HTMLFormElement {
  const form = elementOf("form", { className: "try-panel" });
  const address = labelled("Address", elementOf("input", { value: path, spellcheck: false }));
  const text =
    body === undefined ? undefined : labelled("Body", elementOf("textarea", { value: body, rows: 8 }));
  const send = elementOf("button", { className: "button", textContent: `Send ${method}` });
  const output = elementOf("pre", { className: "try-reply", tabIndex: 0, hidden: true });
  output.role = "status";
  const token = ofTab?.getItem(KEY);
  form.append(address.label, ...(text ? [text.label] : []));
  if (needsToken && !token) form.append(tokenLink(tokenPage, form));
  else form.append(send);
  form.append(output);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    output.hidden = false;
    output.textContent = await answerOf(
      method,
      address.field.value,
      text?.field.value,
      needsToken ? token : null,
    );
    send.disabled = false;
    if (!needsToken || !output.textContent.startsWith("401")) return;
    ofTab?.removeItem(KEY);
    send.replaceWith(tokenLink(tokenPage, form));
  });
  queueMicrotask(() => address.field.focus());
  return form;
}

function tokenLink(tokenPage: string, form: HTMLFormElement): HTMLElement {
  if (!ofTab || !ofBrowser)
    return elementOf("p", {
      className: "hint",
      textContent:
        "This needs a token, and your browser lets this site keep none. Allow its cookies and data, and reload the page.",
    });
  const link = elementOf("a", { className: "button", textContent: "Get a token" });
  queueMicrotask(() => {
    const state = ofBrowser.getItem(STATE) ?? crypto.randomUUID();
    ofBrowser.setItem(STATE, state);
    const next = `${location.pathname}#${new URLSearchParams({ at: form.closest("section")?.id ?? "", state })}`;
    link.href = `${tokenPage}?${new URLSearchParams({ next })}`;
  });
  const note = elementOf("p", { className: "hint" });
  note.append(
    "It acts in your name for an hour, or until you sign out, as the app “Try it from the docs” under your settings.",
  );
  const both = elementOf("div", {});
  both.append(link, note);
  return both;
}

async function answerOf(
  method: string,
  path: string,
  body: string | undefined,
  token: string | null | undefined,
): Promise<string> {
  try {
    const reply = await fetch(new URL(path, location.origin), {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      body,
    });
    const text = await reply.text();
    return `${reply.status} ${reply.statusText}\n\n${indented(text).slice(0, MOST_SHOWN)}`;
  } catch (error) {
    return `Not sent: ${error instanceof Error ? error.message : error}`;
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function labelled<T extends HTMLElement>(name: string, field: T): { label: HTMLLabelElement; field: T } {
  const label = elementOf("label", { className: "try-field" });
  label.append(name, field);
  return { label, field };
}

function elementOf<Tag extends keyof HTMLElementTagNameMap>(
  name: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(name), properties);
}
