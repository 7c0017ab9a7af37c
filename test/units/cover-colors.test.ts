import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { coverClasses } from "../../functions/lib/pictures/cover-classes.ts";
import { type Rgb, rgbOf } from "../../functions/lib/pictures/oklch.ts";
import { COLOR_SAMPLES, colorsOf } from "../../workers/transcoder/image-colors.ts";
import { read } from "../support/structure.ts";

const css = read("functions/ui/assets/styles/cover-colors.css");
const site = read("functions/ui/assets/styles/tokens.css");

type Scheme = 0 | 1;

/** The pair that a token of the site has for light and dark. */
function tokenOf(name: string, scheme: Scheme): Rgb {
  const pair = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(site)?.slice(1);
  const hex = pair?.[scheme] ?? "";
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
}

/** The numbers that a class sets. */
const set = (name: string): number =>
  Number(new RegExp(`\\.${name} \\{\\s*--[\\w-]+: ([\\d.]+);`).exec(css)?.[1]);

/** The colour of a part as the style sheet computes it from a page's classes. */
function colorOf(name: "cover-ground" | "played", part: "g" | "w", classes: string, scheme: Scheme): Rgb {
  const [hue, strength] = ["h", "s"].map((what) =>
    set(new RegExp(`\\b${part}${what === "s" ? "s" : ""}\\d+`).exec(classes)?.[0] ?? "none"),
  );
  const declared = new RegExp(`--${name}: light-dark\\(([^;]*)\\);`).exec(css)?.[1] ?? "";
  const of = declared.split(/,\s*(?=oklch)/)[scheme] ?? "";
  const lightness = Number(/oklch\(([\d.]+)/.exec(of)?.[1]);
  const factor = Number(/calc\(([\d.]+) \*/.exec(of)?.[1] ?? 1);
  return rgbOf({ lightness, chroma: factor * (strength ?? Number.NaN), hue: hue ?? Number.NaN });
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: Rgb, other: Rgb): number {
  const light = (color: Rgb) => {
    const [red = 0, green = 0, blue = 0] = color.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [lighter = 0, darker = 0] = [light(one), light(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The same numbers each time. */
function* randomColors(count: number): Generator<string> {
  let seed = 1;
  const byte = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 16) & 0xff;
  };
  for (let at = 0; at < count; at++) yield Buffer.from(Array.from({ length: 9 }, byte)).toString("hex");
}

const SCHEMES = [
  ["light", 0],
  ["dark", 1],
] as const;

test.each(SCHEMES)("texts and waveforms stand out in colours of any picture, on a %s page", (_, scheme) => {
  const worst = { text: 21, soft: 21, accent: 21, wave: 21 };
  const least = (name: keyof typeof worst, found: number) => {
    // Not a number would be less than nothing.
    worst[name] = found < worst[name] || Number.isNaN(found) ? found : worst[name];
  };
  const page = tokenOf("page", scheme);
  for (const colors of randomColors(5_000)) {
    const classes = coverClasses(1, colors);
    const ground = colorOf("cover-ground", "g", classes, scheme);
    const wave = colorOf("played", "w", classes, scheme);
    for (const name of ["text", "soft", "accent"] as const)
      least(name, contrast(tokenOf(name, scheme), ground));
    for (const below of [ground, page]) least("wave", contrast(wave, below));
  }
  expect(worst.text).toBeGreaterThanOrEqual(7);
  expect(worst.soft).toBeGreaterThanOrEqual(4.5);
  expect(worst.accent).toBeGreaterThanOrEqual(4.5);
  expect(worst.wave).toBeGreaterThanOrEqual(4.5);
});

test("every class that a page may have is in the style sheet", () => {
  const names = new Set<string>();
  for (const colors of randomColors(5_000))
    for (const name of coverClasses(1, colors).split(" ")) names.add(name);
  for (let id = 1; id < 500; id++) for (const name of coverClasses(id, undefined).split(" ")) names.add(name);
  expect([...names].filter((name) => !css.includes(`.${name} {`))).toEqual([]);
  expect(names.size).toBeGreaterThan(30);
});

describe("the three colours of a picture", () => {
  const taken = async (picture: Sharp) => {
    const square = await picture
      .resize(COLOR_SAMPLES, COLOR_SAMPLES)
      .flatten({ background: "white" })
      .toColourspace("srgb")
      .removeAlpha()
      .raw()
      .toBuffer();
    const bytes = colorsOf(square, COLOR_SAMPLES);
    expect(colorsOf(square, COLOR_SAMPLES)).toEqual(bytes);
    expect(bytes.length).toBe(9);
    return [0, 3, 6].map((at) => [...bytes.subarray(at, at + 3)]);
  };
  const drawing = (body: string) =>
    sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400">${body}</svg>`));
  const near = (color: number[] | undefined, wanted: number[], off = 24) =>
    expect(
      Math.max(...wanted.map((part, at) => Math.abs(part - (color?.[at] ?? -1)))),
      `${color}`,
    ).toBeLessThan(off);

  test("are the ground's, the most vivid one's and that of the strongest contrast", async () => {
    const [ground, wave, text] = await taken(
      drawing(`<rect width="400" height="400" fill="#203040"/><circle cx="200" cy="200" r="90" fill="#e02030"/>
        <rect x="100" y="320" width="200" height="40" fill="#f4f0e0"/>`),
    );
    near(ground, [0x20, 0x30, 0x40]);
    near(wave, [0xe0, 0x20, 0x30]);
    near(text, [0xf4, 0xf0, 0xe0]);
  });

  test("of a picture like a photo come from it: sky, sun and dark land", async () => {
    const [ground, wave, text] = await taken(
      drawing(`<defs><linearGradient id="s" x2="0" y2="1"><stop offset="0" stop-color="#28407a"/><stop offset="1" stop-color="#f08a4a"/>
        </linearGradient><filter id="n"><feTurbulence baseFrequency=".9"/><feColorMatrix type="saturate" values="0"/></filter></defs>
        <rect width="400" height="400" fill="url(#s)"/><rect y="280" width="400" height="120" fill="#141a10"/>
        <circle cx="220" cy="220" r="36" fill="#ffd890"/><rect width="400" height="400" filter="url(#n)" opacity=".12"/>`),
    );
    near(ground, [0x1c, 0x20, 0x18], 40);
    // Neither is grey, as the land is.
    const [red = 0, , blue = 0] = wave ?? [];
    expect(Math.abs(red - blue)).toBeGreaterThan(40);
    expect(Math.max(...(text ?? []))).toBeGreaterThan(150);
  });

  test("of black and white are greys, and of one colour that colour", async () => {
    const grey = await taken(
      drawing('<rect width="400" height="200" fill="#fff"/><rect y="200" width="400" height="200"/>'),
    );
    for (const [red = 0, green = 0, blue = 0] of grey) expect([green, blue]).toEqual([red, red]);
    for (const color of await taken(drawing('<rect width="400" height="400" fill="#123456"/>')))
      expect(color).toEqual([0x12, 0x34, 0x56]);
  });

  test("of a transparent picture and of a GIF are those that are shown", async () => {
    const [ground, wave] = await taken(drawing('<circle cx="200" cy="200" r="120" fill="#00a040"/>'));
    near(ground, [255, 255, 255], 2);
    near(wave, [0, 0xa0, 0x40]);
    const gif = await drawing('<rect width="400" height="400" fill="#7030a0"/>').gif().toBuffer();
    near((await taken(sharp(gif)))[0], [0x70, 0x30, 0xa0]);
  });
});
