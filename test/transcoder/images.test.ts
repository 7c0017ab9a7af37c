import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  BLUE,
  bands,
  CANARY,
  createJpeg,
  createPhoto,
  createPng,
  GREEN,
  gifOf,
  iccBomb,
  MARKUP,
  pngOf,
  polyglot,
  RED,
  SVG,
} from "../support/images.ts";
import { casesOf } from "../support/repeats.ts";
import { eventually, isAlive, startTranscoder, type Transcoder } from "./transcoder-process.ts";

let transcoder: Transcoder;

beforeAll(async () => {
  transcoder = await startTranscoder();
});

afterAll(() => transcoder.stop());

const ask = (original: Uint8Array, sizes: string, { url }: Transcoder = transcoder) =>
  fetch(`${url}/images?sizes=${sizes}`, { method: "POST", body: new Uint8Array(original) });

/** The JPEGs, each after its length. */
async function rendered(original: Uint8Array, sizes = "100"): Promise<Buffer[]> {
  const reply = await ask(original, sizes);
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect([reply.status, reply.status === 200 ? "" : bytes.toString()]).toEqual([200, ""]);
  const images: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    images.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return images;
}

async function only(original: Uint8Array): Promise<Buffer> {
  const [image] = await rendered(original);
  return image ?? Buffer.alloc(0);
}

async function colourAt(image: Buffer, left: number, top: number) {
  const { data } = await sharp(image)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { r: data[0] ?? -1, g: data[1] ?? -1, b: data[2] ?? -1 };
}

/** JPEG and colour conversions shift values slightly. */
function expectNear(colour: { r: number; g: number; b: number }, wanted: typeof colour, tolerance = 12) {
  const off = Math.max(...(["r", "g", "b"] as const).map((band) => Math.abs(colour[band] - wanted[band])));
  expect(off, JSON.stringify(colour)).toBeLessThanOrEqual(tolerance);
}

const SIZES = [500, 400, 300, 100, 67, 47, 32, 20, 18, 16];

const SHAPES: [string, () => Promise<Uint8Array>][] = [
  ["a tall JPEG", () => createJpeg(300, 2000)],
  ["a GIF", async () => gifOf(30, 40, 3)],
  ["one that is smaller than every size", () => createPng(1, 1)],
  ["one line of pixels", () => createPng(10_000, 1)],
  ["a wide PNG", () => createPng(1000, 400)],
  ["one column of pixels", () => createJpeg(1, 10_000)],
];

test.each(casesOf(4, SHAPES))("%s becomes JPEGs of exactly the requested sizes", async (_what, original) => {
  const images = await rendered(await original(), SIZES.join());
  const found = await Promise.all(images.map((image) => sharp(image).metadata()));
  expect(found.map(({ format, width, height }) => [format, width, height])).toEqual(
    SIZES.map((size) => ["jpeg", size, size]),
  );
});

test("the square is cut from the middle", async () => {
  const image = await only(await (await bands(900, 300)).png().toBuffer());
  for (const [left, top] of [
    [2, 2],
    [50, 50],
    [97, 97],
  ] as const)
    expectNear(await colourAt(image, left, top), GREEN);
});

test("a photo is rotated as its camera says and loses its metadata", async () => {
  const photo = await createPhoto();
  expect(photo.includes(CANARY)).toBe(true);
  const image = await only(photo);
  expectNear(await colourAt(image, 10, 50), BLUE, 40);
  expectNear(await colourAt(image, 90, 50), RED, 40);
  const { exif, icc, xmp, iptc, orientation, comments } = await sharp(image).metadata();
  expect([exif, icc, xmp, iptc, orientation, comments]).toEqual(Array(6).fill(undefined));
  expect(image.includes("canary")).toBe(false);
});

test.each([
  ["with a profile", true],
  ["without one", false],
])("CMYK %s becomes sRGB", async (_what, withProfile) => {
  const cmyk = sharp(await createPng(80, 80, RED)).toColourspace("cmyk");
  const original = await (withProfile ? cmyk.withIccProfile("cmyk") : cmyk).jpeg().toBuffer();
  expect((await sharp(original).metadata()).channels).toBe(4);
  const image = await only(original);
  const { space, channels } = await sharp(image).metadata();
  expect([space, channels]).toEqual(["srgb", 3]);
  expectNear(await colourAt(image, 50, 50), RED, 50);
});

test.each([true, false])(
  "a JPEG without its end marker is taken, progressive (%j) or not, but not one that is cut off",
  async (progressive) => {
    const whole = await sharp(await createPhoto())
      .jpeg({ progressive })
      .toBuffer();
    expect([...whole.subarray(-2)]).toEqual([0xff, 0xd9]);
    expect((await sharp(await only(whole.subarray(0, -2))).metadata()).width).toBe(100);
    for (const share of [0.3, 0.6, 0.95])
      expect((await ask(whole.subarray(0, Math.floor(whole.length * share)), "100")).status).toBe(422);
  },
);

test("transparency becomes white, grey becomes colour", async () => {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const original = sharp({ create: { width: 60, height: 60, channels: 4, background: clear } });
  expectNear(await colourAt(await only(await original.png().toBuffer()), 50, 50), { r: 255, g: 255, b: 255 });
  const grey = await sharp(await createPng())
    .greyscale()
    .png({ palette: true })
    .toBuffer();
  expect((await sharp(await only(grey)).metadata()).channels).toBe(3);
});

test("a moving GIF shows its first frame", async () => {
  expectNear(await colourAt(await only(gifOf(1, 1, 2)), 50, 50), { r: 255, g: 255, b: 255 });
});

test("markup hidden in a picture is dropped (X48)", async () => {
  const original = await polyglot();
  expect(original.includes(MARKUP)).toBe(true);
  const image = await only(original);
  expect(image.toString("latin1")).not.toMatch(/script|doctype/i);
});

test("a profile that unpacks to 200 MB is never unpacked (X61)", async () => {
  expect((await sharp(await only(iccBomb())).metadata()).width).toBe(100);
});

const REFUSED: [string, () => Promise<Uint8Array> | Uint8Array, RegExp][] = [
  ["400 megapixels in 50 kB", () => pngOf(20_000, 20_000), /20000 by 20000 pixels/],
  ["a side over 10,000 pixels", () => createPng(10_001, 1), /10001 by 1 pixels/],
  ["over 40 megapixels", () => pngOf(8_000, 5_001), /40008000 pixels/],
  ["a GIF of 10,000 frames", () => gifOf(10, 10, 10_000), /10000 frames/],
  ["SVG", () => SVG, /not a JPEG, PNG or GIF/],
  [
    "WebP",
    async () =>
      sharp(await createPng())
        .webp()
        .toBuffer(),
    /not a JPEG, PNG or GIF/,
  ],
  [
    "TIFF",
    async () =>
      sharp(await createPng())
        .tiff()
        .toBuffer(),
    /not a JPEG, PNG or GIF/,
  ],
  ["a page", () => Buffer.from(`<!doctype html>${MARKUP}`), /not a JPEG, PNG or GIF/],
  ["nothing", () => Buffer.alloc(0), /not a JPEG, PNG or GIF/],
  ["magic bytes alone", () => Buffer.from([0xff, 0xd8, 0xff]), /damaged/],
  ["a PNG's magic before an SVG", () => Buffer.concat([pngOf(1, 1).subarray(0, 8), SVG]), /damaged/],
  ["half a JPEG", async () => half(await (await bands()).jpeg().toBuffer()), /damaged/],
  ["half a PNG", async () => half(await (await bands()).png({ compressionLevel: 0 }).toBuffer()), /damaged/],
  ["half a GIF", async () => half(await (await bands()).gif().toBuffer()), /damaged/],
  ["more than 10 MiB", () => Buffer.concat([pngOf(9, 9), Buffer.alloc(10 * 2 ** 20)]), /larger than 10 MiB/],
];

const half = (file: Buffer) => file.subarray(0, file.length / 2);

test.each(REFUSED)("%s is refused, with the reason (X61, X48)", async (_what, original, reason) => {
  const reply = await ask(await original(), "500,100");
  expect(reply.status).toBe(422);
  expect(await reply.json()).toMatchObject({ error: "refused", reason: expect.stringMatching(reason) });
});

test("the largest allowed image is rendered", async () => {
  expect(await rendered(pngOf(8_000, 5_000), "500,16")).toHaveLength(2);
});

test.each(["", "0", "1401", "100,", "100;20", "1e3", "-5", Array(17).fill(9).join()])(
  "sizes %j are malformed",
  async (sizes) => {
    expect((await ask(await createPng(), sizes)).status).toBe(400);
  },
);

test("any number of simultaneous images get a reply, and jobs continue", async () => {
  const original = await createPng();
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(original, "100")));
  const statuses = new Set(replies.map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(200);
  await Promise.all(replies.map((reply) => reply.arrayBuffer()));
  expect(await rendered(original)).toHaveLength(1);
});

/** Signals the rendering process, and repeats until a signal hits it at work. */
async function struckBy(signal: NodeJS.Signals): Promise<Response> {
  for (;;) {
    let isDone = false;
    const reply = ask(pngOf(8_000, 5_000), "500").finally(() => {
      isDone = true;
    });
    await eventually("it renders", () => isDone || transcoder.ffmpegs().length > 0);
    for (const pid of transcoder.ffmpegs()) if (isAlive(pid)) process.kill(pid, signal);
    if ((await reply).status !== 200) return reply;
  }
}

test.each([
  ["crashes", "SIGSEGV", 422, "cannot be decoded"],
  ["uses up its time", "SIGXCPU", 422, "takes too long to decode"],
  ["is ended for its memory", "SIGKILL", 503, undefined],
] as const)("a decoder that %s ends only itself", async (_what, signal, status, reason) => {
  const reply = await struckBy(signal);
  expect(reply.status).toBe(status);
  expect(await reply.json()).toMatchObject({ ...(reason && { reason }) });
  expect(await rendered(await createPng())).toHaveLength(1);
});

test("503: a machine too busy to render does not blame the picture", async () => {
  const hasty = await startTranscoder({ IMAGE_DEADLINE_MS: "1" });
  try {
    const reply = await ask(await createPng(), "100", hasty);
    expect([reply.status, await reply.json()]).toEqual([503, { error: "busy" }]);
    expect((await fetch(`${hasty.url}/healthz`)).status).toBe(200);
  } finally {
    await hasty.stop();
  }
});
