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
  more: "M5.5 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 1 0 0-3.4M12 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 1 0 0-3.4M18.5 10.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 1 0 0-3.4",
};

const LINES = {
  shuffle: "M3 7h4l9 10h5M3 17h4l2.6-2.9M13.4 9.9 16 7h5M18.5 4.5 21 7l-2.5 2.5M18.5 14.5 21 17l-2.5 2.5",
  repeat: "M4 12V9.5A3.5 3.5 0 0 1 7.5 6H19M16 3l3 3-3 3M20 12v2.5a3.5 3.5 0 0 1-3.5 3.5H5M8 21l-3-3 3-3",
  queue: "M4 6h16M4 12h16M4 18h9",
  heart:
    "M12 20.3 4.4 12.9a4.9 4.9 0 0 1 0-7 4.9 4.9 0 0 1 7 0l.6.6.6-.6a4.9 4.9 0 0 1 7 0 4.9 4.9 0 0 1 0 7z",
  repost: "M4 13V9.5A2.5 2.5 0 0 1 6.5 7H18M15 4l3 3-3 3M20 11v3.5a2.5 2.5 0 0 1-2.5 2.5H6M9 20l-3-3 3-3",
  comment: "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4.5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z",
  chapters: "M4 6h.01M9 6h11M4 12h.01M9 12h11M4 18h.01M9 18h11",
  add: "M4 6h12M4 12h9M4 18h6M17 12v8M13 16h8",
  share:
    "M12 15V4M8 7.5 12 3.5l4 4M6 11H5a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-7a1 1 0 0 0-1-1h-1",
  download: "M12 4v11M7.5 11l4.5 4.5L16.5 11M5 20h14",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  insights: "M5 20V11M12 20V4M19 20v-6",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5a2.2 2.2 0 0 0 4 0",
  home: "M4 11 12 4l8 7v8a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13M15.5 15.5 20.5 20.5",
  upload: "M12 19V6M6.5 11 12 5.5 17.5 11M5 21h14",
  you: "M12 4a4 4 0 1 0 0 8 4 4 0 1 0 0-8M4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6",
  up: "M12 19V6M6.5 11 12 5.5 17.5 11",
  down: "M12 5v13M6.5 13l5.5 5.5 5.5-5.5",
  top: "M5 4.5h14M12 20V9M6.5 14 12 8.5 17.5 14",
  unfold: "M6 15 12 9l6 6",
  fold: "M6 9l6 6 6-6",
  close: "M6 6 18 18M18 6 6 18",
  check: "M5 12.5 10 17.5 19.5 7",
  theme: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17M12 3.5v17M12 7l-5 3M12 11l-7 4M12 15l-5 3",
};

const SHAPES = { ...FILLED, ...LINES };

export type IconName = keyof typeof SHAPES;

const STROKE = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": "2",
  "stroke-linecap": "round",
  "stroke-linejoin": "round",
} as const;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d={SHAPES[name]} {...(name in LINES ? STROKE : { fill: "currentColor" })} />
  </svg>
);
