import { reader } from "./own-reader.js";

/**
 * Keeps what was typed and not sent when its page is shown anew, as after a like or once a track is encoded. Also keeps
 * it while the page of a refusal stands in its place, or its reader signs in again.
 */

/** Whether the page that comes is the one that is shown. */
let isAgain = false;
/** Whether the page that comes is the reply to a form that was refused. */
let isRefusal = false;
/** The form that was sent last: its fields begin anew. */
let sent;
/** Values by the fields' ids, and the field that has the focus. */
let unsent = { values: [], focused: undefined };

const FIELDS = "main form :is(input, textarea, select)[id]:not([type=file], [type=password], [readonly])";

const isTyped = (field) => {
  if (field.matches("select")) return [...field.options].some((one) => one.selected !== one.defaultSelected);
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
};

const typedFields = () => [...document.querySelectorAll(FIELDS)].filter(isTyped);
const valuesOf = (fields) => fields.map(({ id, value, checked }) => ({ id, value, checked }));

function fill({ values, focused }) {
  for (const { id, value, checked } of values) {
    const field = document.getElementById(id);
    if (field) Object.assign(field, { value, checked });
    field?.closest("details")?.setAttribute("open", "");
    if (id === focused) field?.focus({ preventScroll: true });
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

/** Stores the values of a refused form, for the page when it is back. */
function store(values) {
  if (!values.length) return;
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ reader, page: location.pathname, values }));
  } catch {
    // Full or forbidden: the page of the refusal shows the longest text.
  }
}

/** Fills in what is stored, on its reader's own page. */
document.addEventListener("turbo:load", () => {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
    if (reader === undefined || stored?.reader !== reader || stored.page !== location.pathname) return;
    sessionStorage.removeItem(STORED);
    fill(stored);
  } catch {
    // Nothing is stored then.
  }
});
