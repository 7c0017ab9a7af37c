/** Shapes on a square of 24. Those of `LINES` are drawn as strokes. */
const FILLED = {
  play: "M8 5.2v13.6a1 1 0 0 0 1.5.87l11-6.8a1 1 0 0 0 0-1.74l-11-6.8A1 1 0 0 0 8 5.2z",
  pause:
    "M7 4h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm7 0h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z",
  previous: "M6 5h2.5v14H6zm13 .8v12.4a1 1 0 0 1-1.6.8l-8-6.2a1 1 0 0 1 0-1.6l8-6.2a1 1 0 0 1 1.6.8z",
  next: "M15.5 5H18v14h-2.5zM5 5.8v12.4a1 1 0 0 0 1.6.8l8-6.2a1 1 0 0 0 0-1.6l-8-6.2a1 1 0 0 0-1.6.8z",
  speaker: "M4 9v6h4l5 4.5v-15L8 9zm12.5 3a4 4 0 0 0-2-3.5v7a4 4 0 0 0 2-3.5z",
  muted:
    "M4 9v6h4l5 4.5v-15L8 9zM22.7 9.7 21.3 8.3 19 10.6 16.7 8.3 15.3 9.7 17.6 12 15.3 14.3 16.7 15.7 19 13.4 21.3 15.7 22.7 14.3 20.4 12z",
};

const LINES = {
  shuffle: "M3 7h4l9 10h5M3 17h4l2.6-2.9M13.4 9.9 16 7h5M18.5 4.5 21 7l-2.5 2.5M18.5 14.5 21 17l-2.5 2.5",
  repeat: "M4 12V9.5A3.5 3.5 0 0 1 7.5 6H19M16 3l3 3-3 3M20 12v2.5a3.5 3.5 0 0 1-3.5 3.5H5M8 21l-3-3 3-3",
  queue: "M4 6h16M4 12h16M4 18h9",
};

const SHAPES = { ...FILLED, ...LINES };

export type IconName = keyof typeof SHAPES;

const STROKE = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": "2",
  "stroke-linecap": "round",
} as const;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d={SHAPES[name]} {...(name in LINES ? STROKE : { fill: "currentColor" })} />
  </svg>
);
