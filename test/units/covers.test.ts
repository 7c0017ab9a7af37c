import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { drawCover, svgOf } from "../../functions/lib/pictures/cover.ts";
import { pngOf } from "../../functions/lib/pictures/cover-png.ts";
import { COMMON, sideOf } from "../../functions/lib/pictures/formats.ts";
import { oklchOf, rgbOf } from "../../functions/lib/pictures/oklch.ts";
import { coverColors } from "../../functions/web/embed/covers.ts";
import { Avatar } from "../../functions/web/pages/rows/avatar.tsx";
import { Cover } from "../../functions/web/pages/rows/cover.tsx";

const ID = 338914811904001;

const track = {
  kind: "track",
  id: ID,
  uri: `https://api.example/tracks/${ID}`,
  artwork_url: null,
  waveform_url: null,
} as const;

const html = (of: Parameters<typeof Cover>[0]["of"], size: "row" | "card" | "lead" = "row") =>
  String(Cover({ of, size }));

test("a colour survives being taken apart", () => {
  for (const color of [
    [0, 0, 0],
    [255, 255, 255],
    [12, 200, 90],
    [255, 0, 255],
    [1, 2, 3],
  ] as const)
    expect(rgbOf(oklchOf(color))).toEqual(color);
});

describe("a drawn cover", () => {
  test("is longer where the track is louder", () => {
    const quietThenLoud = Array.from({ length: 1_800 }, (_, at) => (at < 900 ? 20 : 250));
    const lengths = drawCover(ID, quietThenLoud).bars.map(({ from, to }) => to - from);
    const [first = [], second = []] = [lengths.slice(0, 36), lengths.slice(36)];
    expect(Math.max(...first)).toBeLessThan(Math.min(...second));
  });

  test("of silence, of one sample and of no sound is a picture too", () => {
    for (const samples of [[], [0], Array<number>(1_800).fill(0), Array<number>(1_800).fill(280)]) {
      const svg = svgOf(drawCover(ID, samples));
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      expect(svg).toMatch(/^<svg .*<\/svg>$/);
    }
  });

  test("is the same each time, and another for the next id", () => {
    expect(svgOf(drawCover(ID))).toBe(svgOf(drawCover(ID)));
    expect(svgOf(drawCover(ID + 1))).not.toBe(svgOf(drawCover(ID)));
  });

  test("stays small and within its square", () => {
    for (let id = ID; id < ID + 200; id++) {
      const drawing = drawCover(id);
      expect(svgOf(drawing).length).toBeLessThan(2_500);
      for (const { to } of drawing.bars) expect(to).toBeLessThan(0.5);
    }
  });

  test("has a colour by its id, with hues of all kinds", () => {
    const grounds = new Set(
      Array.from({ length: 500 }, (_, at) => String(drawCover(ID + at * 4_096).ground)),
    );
    expect(grounds.size).toBeGreaterThan(150);
  });
});

describe("a cover as PNG", () => {
  test("shows the same as the SVG", async () => {
    const drawing = drawCover(
      ID,
      Array.from({ length: 1_800 }, (_, at) => 140 + 140 * Math.sin(at / 60)),
    );
    const side = 300;
    const pixelsOf = (image: Buffer) => sharp(image).resize(side, side).removeAlpha().raw().toBuffer();
    const png = await pixelsOf(pngOf(drawing, side));
    const svg = await pixelsOf(Buffer.from(svgOf(drawing)));
    let off = 0;
    for (const [at, part] of png.entries()) off += Math.abs(part - (svg[at] ?? 0)) / png.length;
    expect(off).toBeLessThan(3);
  });

  test("has the size of its format, and few bytes", async () => {
    for (const [format, side] of Object.entries(COMMON)) {
      expect(sideOf(format)).toBe(side);
      const png = pngOf(drawCover(ID), side);
      expect(png.length).toBeLessThan(60_000);
      expect(await sharp(png).metadata()).toMatchObject({ format: "png", width: side, height: side });
    }
    expect(sideOf("constructor")).toBeUndefined();
  });
});

describe("the picture of a track or set", () => {
  test("is its artwork in the size that fits the screen", () => {
    const artwork_url = `https://api.example/images/${"a".repeat(32)}-large.jpg`;
    const image = html({ ...track, artwork_url }, "lead");
    expect(image).toContain('src="https://api.example/images/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-t300x300.jpg"');
    expect(image).toContain("-t300x300.jpg 300w");
    expect(image).toContain('fetchpriority="high"');
    expect(image).not.toContain('loading="lazy"');
  });

  test("has WebPs for large screens if its address names colours, as pictures of this release do", () => {
    const artwork_url = `https://api.example/images/${"a".repeat(32)}-${"12".repeat(9)}-large.jpg`;
    const image = html({ ...track, artwork_url }, "lead");
    expect(image).toContain(`${"a".repeat(32)}-${"12".repeat(9)}-t1000x1000.webp 1000w`);
    expect(
      html({ ...track, artwork_url: artwork_url.replace(`-${"12".repeat(9)}`, "") }, "lead"),
    ).not.toContain("webp");
    expect(html({ ...track, artwork_url }, "row")).not.toContain("webp");
    expect(coverColors({ ...track, artwork_url })).toMatch(/^cover-colors g\d+ gs\d w\d+ ws\d$/);
    expect(coverColors(track)).toMatch(/^cover-colors /);
    expect(coverColors({ ...track, artwork_url: "https://api.example/images/a-large.jpg" })).toBe("");
  });

  test("without artwork is drawn from the sound, under the waveform's address", () => {
    const image = html({ ...track, waveform_url: "https://api.example/media/t.s/waveform.png" });
    expect(image).toContain('src="https://api.example/media/t.s/cover.svg"');
    expect(image).toMatch(/width="40" height="40" alt="" loading="lazy"/);
    expect(image).not.toContain("srcset");
  });

  test("without artwork and sound is a pattern of the id", () => {
    expect(html(track)).toContain(`src="https://api.example/images/pattern-${ID}.svg"`);
    const set = {
      kind: "playlist",
      id: 7,
      uri: "https://api.example/playlists/7",
      artwork_url: null,
    } as const;
    expect(html(set, "card")).toContain('src="https://api.example/images/pattern-7.svg"');
  });
});

describe("the picture of a person", () => {
  const person = {
    id: 7,
    username: "ana torres",
    avatar_url: "https://api.example/images/avatar-default-large.jpg",
  };

  test("without an avatar is initials", () => {
    expect(String(Avatar({ of: person, size: "row" }))).toMatch(
      /^<svg class="row-picture round".*>AT<\/text><\/svg>$/,
    );
    for (const [username, initials] of [
      ["müller", "M"],
      ["日本 語", "日語"],
      ["🎵🎶", "🎵"],
      ["<b> &", "&lt;&amp;"],
    ] as const)
      expect(String(Avatar({ of: { ...person, username }, size: "beside" }))).toContain(
        `>${initials}</text>`,
      );
  });

  test("is the avatar if there is one", () => {
    const avatar_url = `https://api.example/images/${"b".repeat(32)}-large.jpg`;
    expect(String(Avatar({ of: { ...person, avatar_url }, size: "lead" }))).toContain("-t500x500.jpg 500w");
  });
});
