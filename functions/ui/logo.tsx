/**
 * Left edge, top and height of each bar, on a grid of 32. The bars are a sound wave around a post. The tab's
 * icon, `assets/logo.svg`, has the same.
 */
const BARS = [
  [2, 12, 8],
  [8, 8, 16],
  [14, 2, 28],
  [20, 8, 16],
  [26, 12, 8],
] as const;

const POST = 2;

/** Decorative: the name is beside it. Its colours follow the page's. */
export const Logo = ({ size = 24 }: { size?: number }) => (
  <svg class="logo" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    {BARS.map(([x, y, height], bar) => (
      <rect class={bar === POST ? "post" : "side"} x={x} y={y} width="4" height={height} rx="2" />
    ))}
  </svg>
);
