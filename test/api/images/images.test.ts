import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import pg from "pg";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import { MEDIA_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import {
  BLUE,
  CANARY,
  createForm,
  createJpeg,
  createPhoto,
  createPng,
  gifOf,
  iccBomb,
  MARKUP,
  pngOf,
  polyglot,
  SVG,
} from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createTrack, s3 } from "../../support/tracks.ts";

const setAvatar = (who: Person, picture: Uint8Array, type?: string) =>
  api.as(who).put<Me & ErrorReply>("/me", createForm({ "user[avatar_data]": picture }, type));

const me = async (who: Person) => (await api.as(who).get<Me>("/me")).body;

const prefixOf = (url: string) => `images/${/images\/([0-9a-f]+)-large/.exec(url)?.[1]}/`;

const keysUnder = async (prefix: string) =>
  ((await s3.send(new ListObjectsV2Command({ Bucket: MEDIA_BUCKET, Prefix: prefix }))).Contents ?? []).map(
    ({ Key = "" }) => Key.slice(prefix.length),
  );

const garbage = (prefix: string) =>
  sql<{ due: boolean }>("select due_at <= now() as due from object_garbage where prefix = $1", [prefix]);

const AVATARS = {
  t1400x1400: 1400,
  t500x500: 500,
  crop: 400,
  t300x300: 300,
  large: 100,
  badge: 47,
  small: 32,
  tiny: 18,
  mini: 16,
};

test("an avatar's URL yields every format of the specification by replacing `large`", async () => {
  const { status, body } = await setAvatar(await createUser(), await createPng(640, 480));
  expect(status).toBe(200);
  expect(body.avatar_url).toMatch(/\/images\/[0-9a-f]{32}-large\.jpg$/);
  for (const [format, side] of Object.entries(AVATARS)) {
    const reply = await fetch(body.avatar_url.replace("large", format));
    expect(reply.headers.get("Content-Type")).toBe("image/jpeg");
    const { width, height, format: kind } = await sharp(await reply.arrayBuffer()).metadata();
    expect([format, kind, width, height]).toEqual([format, "jpeg", side, side]);
  }
  for (const none of ["t67x67", "original", "LARGE", ""])
    expect((await fetch(body.avatar_url.replace("large", none))).status).toBe(404);
});

test("a picture is cacheable for ever, usable on any page, and nothing but a picture", async () => {
  const { body } = await setAvatar(await createUser(), await createJpeg());
  const reply = await fetch(body.avatar_url);
  const headers = Object.fromEntries(reply.headers);
  expect(headers).toMatchObject({
    "content-type": "image/jpeg",
    "cache-control": "public, max-age=31536000, immutable",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
  const size = (await reply.arrayBuffer()).byteLength;
  const head = await fetch(body.avatar_url, { method: "HEAD" });
  expect([head.status, head.headers.get("Content-Length"), head.headers.get("ETag")]).toEqual([
    200,
    String(size),
    headers.etag,
  ]);
  const asked = (etag: string) => fetch(body.avatar_url, { headers: { "If-None-Match": etag } });
  const known = await asked(`"other", W/${headers.etag}`);
  expect([known.status, known.headers.get("ETag"), (await known.arrayBuffer()).byteLength]).toEqual([
    304,
    headers.etag,
    0,
  ]);
  expect((await asked('"other"')).status).toBe(200);
});

test("a broken download of a picture goes on where it ended, by the tag that came with it", async () => {
  const { body } = await setAvatar(await createUser(), await createJpeg());
  const whole = await fetch(body.avatar_url);
  const bytes = Buffer.from(await whole.arrayBuffer());
  const rest = { Range: "bytes=20-", "If-Range": whole.headers.get("ETag") ?? "" };
  const reply = await fetch(body.avatar_url, { headers: rest });
  expect([reply.status, reply.headers.get("ETag")]).toEqual([206, whole.headers.get("ETag")]);
  expect(bytes.subarray(20).equals(Buffer.from(await reply.arrayBuffer()))).toBe(true);
});

test("a new avatar gets a new URL; the old files disappear, the new ones stay", async () => {
  const ana = await createUser();
  const first = (await setAvatar(ana, await createJpeg())).body.avatar_url;
  const second = (await setAvatar(ana, await createPng(50, 50, BLUE))).body.avatar_url;
  expect(second).not.toBe(first);
  expect((await me(ana)).avatar_url).toBe(second);
  expect(await garbage(prefixOf(second))).toEqual([]);
  await expect
    .poll(async () => {
      await runCron("*/5 * * * *");
      return keysUnder(prefixOf(first));
    })
    .toEqual([]);
  expect((await fetch(first)).status).toBe(404);
  expect((await fetch(second)).status).toBe(200);
  expect(await keysUnder(prefixOf(second))).toHaveLength(9);
});

test("one of several concurrent avatars is shown, and the others become garbage", async () => {
  const ana = await createUser();
  const pictures = await Promise.all([createJpeg(), createPng(), createPng(9, 9, BLUE)]);
  const replies = await Promise.all(pictures.map((picture) => setAvatar(ana, picture)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  const shown = (await me(ana)).avatar_url;
  const urls = replies.map(({ body }) => body.avatar_url);
  expect(urls).toContain(shown);
  for (const url of urls) {
    // Another test's sweep may have removed it.
    if (url === shown) expect(await garbage(prefixOf(url))).toEqual([]);
    else if ((await garbage(prefixOf(url))).length === 0) expect(await keysUnder(prefixOf(url))).toEqual([]);
  }
});

const REFUSED: [string, () => Promise<Uint8Array> | Uint8Array, string][] = [
  ["SVG (X48)", () => SVG, "is not a JPEG, PNG or GIF image"],
  ["a page (X48)", () => Buffer.from(`<!doctype html>${MARKUP}`), "is not a JPEG, PNG or GIF image"],
  ["400 megapixels in 50 kB (X61)", () => pngOf(20_000, 20_000), "is 20000 by 20000 pixels"],
  ["over 40 megapixels (X61)", () => pngOf(9_000, 5_000), "has 45000000 pixels"],
  ["a GIF of 10,000 frames (X61)", () => gifOf(9, 9, 10_000), "has 10000 frames"],
  ["a GIF that claims 65,535 pixels a side", () => gifOf(65_535, 65_535, 1), "is 65535 by 65535 pixels"],
  ["half a JPEG", async () => half(await createPhoto()), "cannot be read: it is damaged"],
  ["a JPEG's magic alone", () => Buffer.from([0xff, 0xd8, 0xff]), "cannot be read: it is damaged"],
  ["a PNG's magic alone", () => pngOf(9, 9).subarray(0, 12), "cannot be read: it is damaged"],
];

const half = (file: Buffer) => file.subarray(0, file.length / 2);

/** One person for all refusals, because none changes the picture. */
let pictured: Promise<Person> | undefined;

async function createPictured(): Promise<Person> {
  const person = await createUser();
  expect((await setAvatar(person, await createJpeg())).status).toBe(200);
  return person;
}

test.each(REFUSED)("%s is refused, and the old picture stays", async (_what, picture, reason) => {
  pictured ??= createPictured();
  const ana = await pictured;
  const before = (await me(ana)).avatar_url;
  expect(before).toMatch(/-large\.jpg$/);
  const { status, body } = await setAvatar(ana, await picture());
  expect(status).toBe(422);
  expect(body.errors[0]?.error_message).toContain(`user[avatar_data]: ${reason}`);
  expect((await me(ana)).avatar_url).toBe(before);
});

test("a picture sent as a page is judged by its content and loses hidden markup (X48)", async () => {
  const { status, body } = await setAvatar(await createUser(), await polyglot(), "text/html");
  expect(status).toBe(200);
  for (const format of Object.keys(AVATARS)) {
    const reply = await fetch(body.avatar_url.replace("large", format));
    expect(reply.headers.get("Content-Type")).toBe("image/jpeg");
    expect(await reply.text()).not.toMatch(/script|doctype/i);
  }
});

test("position, comments and profiles of a photo are removed (X61)", async () => {
  const photo = await createPhoto();
  expect(photo.includes(CANARY)).toBe(true);
  for (const picture of [photo, iccBomb()]) {
    const { body } = await setAvatar(await createUser(), picture);
    const shown = Buffer.from(await (await fetch(body.avatar_url)).arrayBuffer());
    const { exif, icc, xmp, comments } = await sharp(shown).metadata();
    expect([exif, icc, xmp, comments]).toEqual([undefined, undefined, undefined, undefined]);
    expect(shown.includes("canary")).toBe(false);
  }
});

test("413: more than 10 MiB", async () => {
  const large = Buffer.concat([await createJpeg(), Buffer.alloc(10 * 2 ** 20)]);
  const { status, body } = await setAvatar(await createUser(), large);
  expect(status).toBe(413);
  expect(body.errors[0]?.error_message).toContain("user[avatar_data]");
});

test("a private track's artwork has an unguessable address with nothing beside it (X15)", async () => {
  const ana = await createUser();
  const version = /([0-9a-f]{32})/.exec((await setAvatar(ana, await createPng())).body.avatar_url)?.[1] ?? "";
  const track = await createTrack(ana, { sharing: "private" });
  const artworkOf = async () => (await api.as(ana).get<Track>(`/tracks/${track.id}`)).body.artwork_url;
  expect(await artworkOf()).toBeNull();
  await sql("update users set avatar_version = null where id = $1", [ana.id]);
  await sql("update tracks set artwork_version = $2 where id = $1", [track.id, version]);
  const url = (await artworkOf()) ?? "";
  expect(url).toContain(version);
  expect((await fetch(url)).status).toBe(200);
  const guesses = [
    url.replace(version, String(track.id)),
    url.replace(
      version,
      version.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
    ),
    url.replace(`${version}-large.jpg`, ""),
    url.replace(`${version}-`, `${version}/`),
    url.replace(version, `%2e%2e/t/${track.id}`),
    url.replace("images", "media"),
  ];
  for (const guess of guesses) expect((await fetch(guess)).status, guess).toBe(404);
});

/** Prefixes that the deletion makes due: a user's in two hours. They are read before any sweep can remove them. */
async function listedBy(deletion: string, id: number, ...prefixes: string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(deletion, [id]);
    const { rows } = await client.query<{ prefix: string }>(
      "select prefix from object_garbage where prefix = any ($1) and due_at <= now() + interval '2 hours' order by prefix",
      [prefixes],
    );
    await client.query("commit");
    return rows.map(({ prefix }) => prefix);
  } finally {
    await client.end();
  }
}

test("a deleted track's artwork and a deleted user's avatar become garbage", async () => {
  const ana = await createUser();
  const { id } = await createTrack(ana, { artwork_version: "a".repeat(16) + ana.id });
  const artwork = `images/${"a".repeat(16)}${ana.id}/`;
  expect(await garbage(artwork)).toEqual([]);
  expect(await listedBy("delete from tracks where id = $1", id, artwork)).toEqual([artwork]);
  await sql("update users set avatar_version = $2 where id = $1", [ana.id, "b".repeat(16) + ana.id]);
  await createTrack(ana, { artwork_version: "c".repeat(16) + ana.id });
  const both = ["b", "c"].map((letter) => `images/${letter.repeat(16)}${ana.id}/`);
  expect(await listedBy("delete from users where id = $1", ana.id, ...both)).toEqual(both);
});
