import { reader } from "./own-reader.ts";
import { readTabJson, writeTab } from "./tab-store.ts";

/**
 * Keeps what was typed and not sent when its page is shown anew, as after a like or once a track is encoded. Also keeps
 * it while the page of a refusal stands in its place, its reader signs in again, or the page is loaded anew.
 */

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Value {
  id: string;
  value: string;
  checked?: boolean;
}

/** Values of fields, and the id of the one that has the focus. */
interface Words {
  values: Value[];
  focused?: string;
}

/** Whether the page that comes is the one that is shown. */
let isAgain = false;
/** Whether the page that comes is the reply to a form that was refused. */
let isRefusal = false;
/** The form that was sent last: its fields begin anew. */
let sent: EventTarget | null;
let unsent: Words = { values: [] };

const FIELDS = "main form :is(input, textarea, select)[id]:not([type=file], [type=password], [readonly])";

const isField = (element: Element | null): element is Field =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLTextAreaElement ||
  element instanceof HTMLSelectElement;

function isTyped(field: Field): boolean {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((one) => one.selected !== one.defaultSelected);
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

const isChoice = (field: Field): field is HTMLInputElement =>
  field.type === "checkbox" || field.type === "radio";

const typedFields = () => [...document.querySelectorAll(FIELDS)].filter(isField).filter(isTyped);
const valuesOf = (fields: Field[]): Value[] =>
  fields.map((field) => ({
    id: field.id,
    value: field.value,
    checked: isChoice(field) ? field.checked : undefined,
  }));

function fill({ values, focused }: Words): void {
  for (const { id, value, checked } of values) {
    const field = document.getElementById(id);
    if (!isField(field)) continue;
    field.value = value;
    if (isChoice(field)) field.checked = checked ?? false;
    field.closest("details")?.setAttribute("open", "");
    if (id === focused) field.focus({ preventScroll: true });
  }
}

document.addEventListener("turbo:submit-start", ({ target }) => {
  sent = target;
  isRefusal = true;
});
document.addEventListener("turbo:visit", ({ detail }) => {
  isAgain = detail.action === "replace";
  isRefusal = false;
});
document.addEventListener("turbo:before-render", ({ detail }) => {
  const typed = typedFields();
  if (isRefusal && !detail.newBody.querySelector(FIELDS)) store(valuesOf(typed));
  const others = isAgain ? typed.filter((field) => field.form !== sent) : [];
  const focused = others.find((field) => field === document.activeElement)?.id;
  unsent = { values: valuesOf(others), focused };
});
document.addEventListener("turbo:render", () => fill(unsent));

const STORED = "unsent";

interface Stored extends Words {
  reader?: string;
  page: string;
}

/** Stores the values of a refused form, for the page when it is back. */
function store(values: Value[]): void {
  if (values.length) writeTab(STORED, JSON.stringify({ reader, page: location.pathname, values }));
}

/** Browsers fill in nothing after a reload, because no cache keeps a reader's page. A form that is sent has done its work. */
let left: EventTarget | null;
document.addEventListener("submit", ({ target }) => {
  left = target;
});
window.addEventListener("pagehide", () =>
  store(valuesOf(typedFields().filter(({ form }) => form?.method === "post" && form !== left))),
);

/** Fills in what is stored, on its reader's own page. */
document.addEventListener("turbo:load", () => {
  const stored = readTabJson<Stored>(STORED);
  if (reader === undefined || stored?.reader !== reader || stored.page !== location.pathname) return;
  writeTab(STORED);
  fill(stored);
});
