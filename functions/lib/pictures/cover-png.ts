import { crc32, deflateSync } from "node:zlib";
import { BAR_WIDTH, BARS, DISC, type Drawing } from "./cover.ts";
import type { Rgb } from "./oklch.ts";

/** Shares of ink on the pixels along an edge that are told apart. */
const SHADES = 15;

/**
 * The drawing as a PNG, for programs that show no SVG: feeds, previews on other sites, lock screens. Its palette has the ground, and the
 * disc and each ink in shades over the ground.
 */
export function pngOf(drawing: Drawing, side: number): Buffer {
  const { ground, disc, inks } = drawing;
  const palette = [ground, ...[disc, ...inks].flatMap((ink) => shadesOf(ink, ground))];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits a pixel, with a palette: PNG specification, §11.2.1.
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flat())),
    chunk("IDAT", deflateSync(rowsOf(drawing, side))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const shadesOf = (ink: Rgb, ground: Rgb): Rgb[] =>
  Array.from({ length: SHADES }, (_, at) => {
    const mixed = (band: 0 | 1 | 2) =>
      Math.round(ground[band] + ((ink[band] - ground[band]) * (at + 1)) / SHADES);
    return [mixed(0), mixed(1), mixed(2)];
  });

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Places in the palette, each row after a byte that says that it is unfiltered. */
function rowsOf({ bars }: Drawing, side: number): Buffer {
  const rows = Buffer.alloc(side * (side + 1));
  const half = BAR_WIDTH / 2;
  const longest = Math.max(...bars.map(({ to }) => to)) + half + 1 / side;
  const step = (2 * Math.PI) / BARS;
  for (let row = 0; row < side; row++) {
    const down = (row + 0.5) / side - 0.5;
    for (let column = 0; column < side; column++) {
      const right = (column + 0.5) / side - 0.5;
      const away = Math.hypot(right, down);
      if (away > longest) continue;
      let place = placeAt(DISC - away, side, 0);
      if (place === 0) {
        const angle = Math.atan2(right, -down) + 2 * Math.PI;
        const at = Math.round(angle / step);
        const bar = bars[at % BARS];
        if (bar) {
          const [along, across] = [away * Math.cos(angle - at * step), away * Math.sin(angle - at * step)];
          const beyond = Math.max(bar.from - along, along - bar.to, 0);
          place = placeAt(half - Math.hypot(across, beyond), side, 1 + bar.ink);
        }
      }
      rows[row * (side + 1) + 1 + column] = place;
    }
  }
  return rows;
}

/** The place of a pixel that lies so far within an edge, as a share of the side. 0 is the ground. */
function placeAt(within: number, side: number, ink: number): number {
  const shade = Math.round(SHADES * Math.min(1, Math.max(0, within * side + 0.5)));
  return shade && ink * SHADES + shade;
}
