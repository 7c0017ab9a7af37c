/** Finds elements by selector and class. Both are checked, so that no script has to claim what an element is. */

type Kind<T extends Element> = abstract new () => T;

const only = <T extends Element>(element: Element | null, kind: Kind<T>): T | undefined =>
  element instanceof kind ? element : undefined;

/** The first one within `root`. A page comes with its scripts, so one that is missing is a mistake of ours. */
export function find<T extends Element>(root: ParentNode, selector: string, kind: Kind<T>): T {
  const found = findIfAny(root, selector, kind);
  if (!found) throw new TypeError(selector);
  return found;
}

/** The first one within `root`, or `undefined`. */
export const findIfAny = <T extends Element>(root: ParentNode, selector: string, kind: Kind<T>) =>
  only(root.querySelector(selector), kind);

/** All within `root`. */
export const findAll = <T extends Element>(root: ParentNode, selector: string, kind: Kind<T>): T[] =>
  [...root.querySelectorAll(selector)].filter((one): one is T => one instanceof kind);

/** The nearest one around an event's target or an element, itself included. */
export const closest = <T extends Element>(
  target: EventTarget | null | undefined,
  selector: string,
  kind: Kind<T>,
) => only(target instanceof Element ? target.closest(selector) : null, kind);
