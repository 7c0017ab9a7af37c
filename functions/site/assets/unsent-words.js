import { reader } from "./own-reader.js";

/**
 * What was typed and not sent stays when its page is shown anew, as after a like or once a track is encoded. It also
 * stays while the page of a refusal stands in its place, or its reader signs in again.
 */

/** Whether the page that comes is the one that is shown. */
let isAgain = false;
/** Whether the page that comes is the reply to a form that was refused. */
let isRefusal = false;
/** The form that was sent last: its fields begin anew. */
let sent;
/** Values by the fields' ids, and the field that has the focus. */
let kept = { values: [], focused: undefined };

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
  if (isRefusal && !detail.newBody.querySelector(FIELDS)) hold(valuesOf(typed));
  const others = isAgain ? typed.filter((field) => field.form !== sent) : [];
  const focused = others.find((field) => field === document.activeElement)?.id;
  kept = { values: valuesOf(others), focused };
});
document.addEventListener("turbo:render", () => fill(kept));

const HELD = "unsent";

/** Holds what a refused form has, for the page when it is back. */
function hold(values) {
  if (!values.length) return;
  try {
    sessionStorage.setItem(HELD, JSON.stringify({ reader, page: location.pathname, values }));
  } catch {
    // Full or forbidden: the page of the refusal shows the longest text.
  }
}

/** Nobody else's page gets what is held. */
document.addEventListener("turbo:load", () => {
  try {
    const held = JSON.parse(sessionStorage.getItem(HELD) ?? "null");
    if (reader === undefined || held?.reader !== reader || held.page !== location.pathname) return;
    sessionStorage.removeItem(HELD);
    fill(held);
  } catch {
    // Nothing is held then.
  }
});
