/** Stands in for postcss in the bundle: sanitize-html asks it to parse `style` attributes, which we never allow. */
export function parse(): never {
  throw new Error("A style attribute was allowed, but no CSS parser is bundled");
}
