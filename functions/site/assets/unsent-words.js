/** What was typed and not sent stays when its page is shown anew, as after a like or once a track is encoded. */

/** Whether the page that comes is the one that is shown. */
let isAgain = false;
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

document.addEventListener("turbo:submit-start", ({ target }) => {
  sent = target;
});
document.addEventListener("turbo:visit", ({ detail }) => {
  isAgain = detail.action === "replace";
});
document.addEventListener("turbo:before-render", () => {
  const fields = isAgain ? [...document.querySelectorAll(FIELDS)] : [];
  const typed = fields.filter((field) => field.form !== sent && isTyped(field));
  const focused = typed.find((field) => field === document.activeElement)?.id;
  kept = { values: typed.map(({ id, value, checked }) => ({ id, value, checked })), focused };
});
document.addEventListener("turbo:render", () => {
  for (const { id, value, checked } of kept.values) {
    const field = document.getElementById(id);
    if (field) Object.assign(field, { value, checked });
    if (id === kept.focused) field?.focus({ preventScroll: true });
  }
});
