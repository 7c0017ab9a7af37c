/** Finds elements by selector and class. Both are checked, so that no script has to claim what an element is. */

type Kind<T extends Element> = abstract new () => T;

/** The first one within `root`. A page comes with its scripts, so one that is missing is a mistake of ours. */
export function find<T extends Element>(root: ParentNode, selector: string, kind: Kind<T>): T {
  const found = findIfAny(root, selector, kind);
  if (!found) throw new TypeError(`${selector} is no ${kind.name}`);
  return found;
}

/** The first one within `root`, or `undefined`. */
export function findIfAny<T extends Element>(
  root: ParentNode,
  selector: string,
  kind: Kind<T>,
): T | undefined {
  const found = root.querySelector(selector);
  return found instanceof kind ? found : undefined;
}

/** All within `root`. */
export const findAll = <T extends Element>(root: ParentNode, selector: string, kind: Kind<T>): T[] =>
  [...root.querySelectorAll(selector)].filter((one): one is T => one instanceof kind);

/** The nearest one around an event's target or an element, itself included. */
export function closest<T extends Element>(
  target: EventTarget | null | undefined,
  selector: string,
  kind: Kind<T>,
): T | undefined {
  const found = target instanceof Element ? target.closest(selector) : undefined;
  return found instanceof kind ? found : undefined;
}
