import type { Child } from "hono/jsx";

const partsOf = (children: Child): Child[] =>
  Array.isArray(children) ? children.flatMap(partsOf) : [children];

/** Puts a space between neighbours, which otherwise become one word where a page is read without its style. */
export const Apart = ({ children }: { children?: Child }) => (
  <>
    {partsOf(children)
      .filter(Boolean)
      .map((part, at) => (at === 0 ? part : [" ", part]))}
  </>
);
