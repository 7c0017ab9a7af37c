import type { Child } from "hono/jsx";

const partsOf = (children: Child): Child[] =>
  Array.isArray(children) ? children.flatMap(partsOf) : [children];

/** Puts a space between neighbours, which would join into one word in a page without styles. */
export const Apart = ({ children }: { children?: Child }) => (
  <>
    {partsOf(children)
      .filter(Boolean)
      .map((part, at) => (at === 0 ? part : [" ", part]))}
  </>
);
