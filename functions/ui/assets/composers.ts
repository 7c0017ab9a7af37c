import { closest, find, findIfAny } from "./elements.ts";

/** The one-line forms for comments and replies. They work without this script: a reply then has a page of its own. */

/** Safari's code for the Enter that ends a composition, after which `isComposing` is false already. */
const COMPOSED = 229;

/** Enter sends, and with Shift begins a line. A method of input uses Enter itself. */
document.addEventListener("keydown", (event) => {
  const { key, shiftKey, isComposing, keyCode, target } = event;
  const field = closest(target, ".composer textarea", HTMLTextAreaElement);
  if (!field?.form || key !== "Enter" || shiftKey || isComposing || keyCode === COMPOSED) return;
  event.preventDefault();
  const button = find(field.form, "[type=submit]", HTMLButtonElement);
  // Disabled while it is being sent.
  if (!button.disabled) field.form.requestSubmit(button);
});

const LINK = "a[data-reply]";

/** Opens the form for a reply below the thread of the link. There is one at a time. */
function openReply(link: HTMLAnchorElement): HTMLTextAreaElement | undefined {
  const template = findIfAny(document, "#reply-template", HTMLTemplateElement);
  const comment = closest(link, ".comment", HTMLElement);
  const thread = closest(link, ".comments > .comment", HTMLElement);
  if (!template || !comment || !thread) return undefined;
  findIfAny(document, "#reply", HTMLElement)?.remove();
  thread.append(template.content.cloneNode(true));
  const reply = find(thread, "#reply", HTMLElement);
  const [form, field] = [find(reply, "form", HTMLFormElement), find(reply, "textarea", HTMLTextAreaElement)];
  const { href, dataset } = link;
  const label = `Your reply to ${dataset.reply}`;
  reply.dataset.to = comment.id;
  form.action = href.replace(/#.*$/, "");
  form.setAttribute("data-then", `#${thread.id} .replies > :last-child`);
  find(reply, "label", HTMLElement).textContent = label;
  field.placeholder = label;
  field.defaultValue = dataset.begin ?? "";
  return field;
}

document.addEventListener("click", (event) => {
  const link = closest(event.target, LINK, HTMLAnchorElement);
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const field = openReply(link);
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
});

/** Escape closes a form with nothing in it. */
document.addEventListener("keydown", ({ key, target }) => {
  const reply = closest(target, "#reply[data-to]", HTMLElement);
  const field = reply && find(reply, "textarea", HTMLTextAreaElement);
  if (key !== "Escape" || !field || field.value !== field.defaultValue) return;
  linkTo(reply)?.focus();
  reply.remove();
});

const linkTo = ({ dataset }: HTMLElement) => findIfAny(document, `#${dataset.to} ${LINK}`, HTMLAnchorElement);

/** A page that is shown anew has the open form again, before its words are filled in, unless they were sent. */
let opened: HTMLElement | undefined;
let isAgain = false;
let sent: EventTarget | null;
document.addEventListener("turbo:submit-start", ({ target }) => {
  sent = target;
});
document.addEventListener("turbo:visit", ({ detail }) => {
  isAgain = detail.action === "replace";
});
document.addEventListener("turbo:before-render", () => {
  const reply = findIfAny(document, "#reply[data-to]", HTMLElement);
  opened = isAgain && !(sent instanceof Node && reply?.contains(sent)) ? reply : undefined;
});
document.addEventListener("turbo:render", () => {
  const link = opened && linkTo(opened);
  if (link && !findIfAny(document, "#reply", HTMLElement)) openReply(link);
});
