/** Left edge, top and height of each bar, on a grid of 32. The bars are a sound wave around a post. */
const BARS = [
  [2, 12, 8],
  [8, 8, 16],
  [14, 2, 28],
  [20, 8, 16],
  [26, 12, 8],
] as const;

const POST = 2;

/** Decorative: the name is beside it. */
export const Logo = ({ size = 24 }: { size?: number }) => (
  <svg class="logo" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    {BARS.map(([x, y, height], bar) => (
      <rect class={bar === POST ? "post" : "side"} x={x} y={y} width="4" height={height} rx="2" />
    ))}
  </svg>
);

const rectangles = BARS.map(
  ([x, y, height], bar) =>
    `<rect x="${x}" y="${y}" width="4" height="${height}" rx="2" fill="${bar === POST ? "#c2542d" : "#0e7a68"}"/>`,
);

/** Icon of the browser's tab, in colours that both light and dark tabs show. */
export const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${rectangles.join("")}</svg>`;
