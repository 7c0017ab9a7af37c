import { findAll } from "../elements.ts";
import { currentToken, forgetToken, keepsToken, tokenAddress } from "./docs-token.ts";

/** Runs the sample of an operation, as the reader edits it. */

/** Characters of a reply. */
const MOST_SHOWN = 20_000;

const HEADERS = ["Content-Type", "Location", "ETag", "Link", "Retry-After", "RateLimit", "X-Request-Id"];

for (const sample of findAll(document, ".sample[data-method]", HTMLElement)) offer(sample);

function offer(sample: HTMLElement): void {
  const button = elementOf("button", { type: "button", className: "button small", textContent: "Run" });
  button.addEventListener("click", () => {
    const { form, start } = panelOf(sample);
    button.replaceWith(form);
    start();
  });
  sample.append(button);
}

/** The text with the ids that the page shows in place of their names. */
function filled(text: string, sample: HTMLElement): string {
  const shown = new Map(
    findAll(sample, "var[data-sample]", HTMLElement).map((one) => [one.dataset.sample, one.textContent]),
  );
  return text.replace(/[A-Z][A-Z_]+[A-Z]/g, (name) => shown.get(name) ?? name);
}

function panelOf(sample: HTMLElement) {
  const { method = "", path = "", body, needsToken } = sample.dataset;
  const isRead = method === "GET";
  const form = elementOf("form", { className: "run-panel" });
  const address = labelled("Address", elementOf("input", { value: filled(path, sample), spellcheck: false }));
  const text =
    body === undefined
      ? undefined
      : labelled("Body", elementOf("textarea", { value: filled(body, sample), rows: 8 }));
  const warning = elementOf("p", { textContent: "This changes your account." });
  const send = elementOf("button", {
    className: "button small",
    textContent: isRead ? "Run again" : `Send ${method}`,
  });
  const said = elementOf("p", { className: "run-status" });
  said.role = "status";
  const reply = elementOf("div", { className: "run-reply" });
  form.append(
    address.label,
    ...(text ? [text.label] : []),
    ...(isRead || !needsToken ? [] : [warning]),
    send,
    said,
    reply,
  );

  const isReady = () => !needsToken || currentToken() !== undefined;
  const askForToken = () => send.replaceWith(tokenNote(form));
  let isSending = false;
  async function run(): Promise<void> {
    // A disabled button would lose the focus.
    if (isSending) return;
    isSending = true;
    said.textContent = "Sending …";
    const answer = await answerTo(
      method,
      address.field.value,
      text?.field.value,
      needsToken ? currentToken() : undefined,
    );
    said.textContent = answer.status;
    reply.replaceChildren(...answer.shown);
    isSending = false;
    if (!needsToken || answer.code !== 401) return;
    forgetToken();
    askForToken();
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isReady()) run();
  });
  /** A read runs at once, if no id is missing. */
  const start = () => {
    const isWhole = !/[A-Z]_ID\b/.test(address.field.value);
    if (!isReady()) askForToken();
    else if (isRead && isWhole) run();
    (isReady() && isWhole ? send : address.field).focus();
  };
  return { form, start };
}

function tokenNote(form: HTMLFormElement): HTMLElement {
  const note = elementOf("p", { className: "hint" });
  if (!keepsToken()) {
    note.textContent =
      "This needs a token, and your browser lets this site keep none. Allow its cookies and data, and reload the page.";
    return note;
  }
  const link = elementOf("a", { className: "button small", textContent: "Get a token" });
  link.href = tokenAddress(form.closest("[id]")?.id ?? "main");
  note.append(
    link,
    " It acts in your name for an hour, or until you sign out, as the app “Try it from the docs” under your settings.",
  );
  return note;
}

interface Answer {
  /** Undefined if nothing came. */
  code?: number;
  status: string;
  shown: HTMLElement[];
}

async function answerTo(
  method: string,
  path: string,
  body: string | undefined,
  token: string | undefined,
): Promise<Answer> {
  const begunAt = performance.now();
  try {
    const reply = await fetch(new URL(path, location.origin), {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      body,
    });
    const text = await textOf(reply);
    const status = `${reply.status} ${reply.statusText}, in ${Math.round(performance.now() - begunAt)} ms`;
    return { code: reply.status, status, shown: [headersOf(reply), block(text)] };
  } catch (error) {
    return { status: `Not sent: ${error instanceof Error ? error.message : error}`, shown: [] };
  }
}

/** Sound is not shown. */
async function textOf(reply: Response): Promise<string> {
  const type = reply.headers.get("Content-Type") ?? "";
  if (/^(?:audio|image|application\/octet)/.test(type))
    return `${(await reply.blob()).size} bytes of ${type}`;
  return indented(await reply.text()).slice(0, MOST_SHOWN);
}

function headersOf({ headers }: Response): HTMLElement {
  const lines = HEADERS.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []));
  return block(lines.join("\n"));
}

const block = (text: string): HTMLElement => elementOf("pre", { textContent: text, tabIndex: 0 });

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function labelled<T extends HTMLElement>(name: string, field: T): { label: HTMLLabelElement; field: T } {
  const label = elementOf("label", { className: "run-field" });
  label.append(name, field);
  return { label, field };
}

function elementOf<Tag extends keyof HTMLElementTagNameMap>(
  name: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(name), properties);
}
