import { beforeAll, expect, test } from "vitest";
import { get, MP3, playable } from "../../api/media/media-files.ts";
import { expectPlays } from "../../api/plays/plays.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack, uploadFinishedTrack } from "../../support/tracks.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const addressOf = (permalink: string, owner = ana) =>
  `${stack.urls.api}/${owner.username}/${permalink}/${permalink}.mp3`;

test("the same file is audio.mp3, and no other name", async () => {
  await playable(ana, { permalink: "named" });
  const tagOf = async (file: string) => {
    const { status, headers } = await get(addressOf("named").replace("named.mp3", file), {}, "HEAD");
    return [status, headers.get("ETag")];
  };
  expect(await tagOf("audio.mp3")).toEqual(await tagOf("named.mp3"));
  expect(await tagOf("audio.mp3")).toEqual([200, expect.stringMatching(/^"/)]);
  for (const other of ["other.mp3", ".mp3", "named.MP3"]) expect((await tagOf(other))[0]).toBe(404);
});

test("the whole file, HEAD and ranges come from the lasting address itself, for any page", async () => {
  await playable(ana, { permalink: "whole" });
  const whole = await get(addressOf("whole"));
  expect([whole.status, whole.bytes.equals(MP3)]).toEqual([200, true]);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    "content-type": "audio/mpeg",
    "content-length": "2500",
    "accept-ranges": "bytes",
    "access-control-allow-origin": "*",
    "cache-control": "public, max-age=30, must-revalidate",
  });
  const head = await get(addressOf("whole"), {}, "HEAD");
  expect([head.status, head.headers.get("Content-Length"), head.bytes.length]).toEqual([200, "2500", 0]);
  const part = await get(addressOf("whole"), { Range: "bytes=990-1009" });
  expect([part.status, part.headers.get("Content-Range")]).toEqual([206, "bytes 990-1009/2500"]);
  expect(part.bytes.equals(MP3.subarray(990, 1010))).toBe(true);
  expect((await get(addressOf("whole"), { Range: "bytes=2500-" })).status).toBe(416);
});

test("a program that has the file gets 304, and goes on with a broken download by If-Range", async () => {
  await playable(ana, { permalink: "held" });
  const tag = (await get(addressOf("held"), {}, "HEAD")).headers.get("ETag") ?? "";
  expect((await get(addressOf("held"), { "If-None-Match": tag })).status).toBe(304);
  const rest = { Range: "bytes=2400-" };
  expect((await get(addressOf("held"), { ...rest, "If-Range": tag })).status).toBe(206);
  expect((await get(addressOf("held"), { ...rest, "If-Range": '"other"' })).status).toBe(200);
});

test("a download counts as a play, HEAD and later ranges do not", async () => {
  const { id } = await playable(ana, { permalink: "counted" });
  await get(addressOf("counted"), {}, "HEAD");
  await get(addressOf("counted"), { Range: "bytes=1000-" });
  await get(addressOf("counted"));
  await expectPlays(ana, id, 1);
});

test("only what a visitor may play whole is there", async () => {
  for (const columns of [
    { permalink: "paid", paywall: "preview" },
    { permalink: "closed", streamable: false },
    { permalink: "abroad", available_country_codes: ["FR"] },
  ]) {
    await createPlayableTrack(ana, columns);
    expect((await get(addressOf(columns.permalink))).status).toBe(404);
  }
  await createTrack(ana, { permalink: "encoding" });
  expect((await get(addressOf("encoding"))).status).toBe(404);
  expect((await get(addressOf("unknown"))).status).toBe(404);
});

test("a private track is there by its secret alone, and a new secret ends the old one at once", async () => {
  const { id, secret } = await playable(ana, { permalink: "diary", sharing: "private" });
  const within = (token: string) => addressOf("diary").replace("/diary.mp3", `/${token}/diary.mp3`);
  expect((await get(addressOf("diary"))).status).toBe(404);
  expect((await get(within("s-wrong"))).status).toBe(404);
  const opened = await get(within(secret));
  expect([opened.status, opened.headers.get("Cache-Control")]).toEqual([200, "private, no-cache"]);
  expect((await get(`${addressOf("diary")}?secret_token=${secret}`)).status).toBe(200);
  await api.as(ana).put(`/tracks/${id}/secret-token`);
  expect((await get(within(secret))).status).toBe(404);
});

test.for<[string, (owner: Person, id: number) => Promise<unknown>]>([
  [
    "streamable: false",
    (o, id) => api.as(o).put(`/tracks/${id}`, { json: { track: { streamable: false } } }),
  ],
  [
    "sharing: private",
    (o, id) => api.as(o).put(`/tracks/${id}`, { json: { track: { sharing: "private" } } }),
  ],
  ["deletion", (o, id) => api.as(o).delete(`/tracks/${id}`)],
  ["a disabled owner", (o) => sql("update users set disabled_at = now() where id = $1", [o.id])],
])("a takedown ends it at once: %s", async ([, takeDown]) => {
  const owner = await createUser();
  const { id } = await playable(owner, { permalink: "gone" });
  expect((await get(addressOf("gone", owner))).status).toBe(200);
  await takeDown(owner, id);
  expect((await get(addressOf("gone", owner))).status).toBe(404);
  expect((await get(addressOf("gone", owner), {}, "HEAD")).status).toBe(404);
});

test("an encoded track's file has the length and the duration that its feed says", async () => {
  const track = await uploadFinishedTrack(ana, { title: "Real one" });
  const feed = (await get(`${stack.urls.api}/${ana.username}/feed.xml`)).bytes.toString();
  const item = feed.split("<item>").find((each) => each.includes(`:tracks:${track.id}<`)) ?? "";
  const [, url = "", length] = /<enclosure url="([^"]+)" length="(\d+)"/.exec(item) ?? [];
  const { bytes } = await get(url);
  expect(String(bytes.length)).toBe(length);
  expect(item).toContain(`<itunes:duration>${Math.round(track.duration / 1000)}</itunes:duration>`);
});
