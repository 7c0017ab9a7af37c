/** Makes an element with a class and content. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), { className });
  element.append(...content);
  return element;
}
