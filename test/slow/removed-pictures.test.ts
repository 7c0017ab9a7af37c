import { expect, test } from "vitest";
import { BACKUP_LOCK } from "../../db/queries/garbage.ts";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { keysUnder } from "../encoding/sweep.support.ts";
import { api } from "../support/api.ts";
import { createForm, createPng } from "../support/images.ts";
import { whileHeld } from "../support/open-transaction.ts";
import { operate } from "../support/operate.ts";
import { createUser } from "../support/people.ts";
import { runCron, sql } from "../support/stack.ts";
import { becomes, coveredTrack } from "./pictures.support.ts";

const BECAUSE = ["--reason", "Somebody else drew it"];

test("a picture that an operator removed is gone for caches too, and back to the byte once restored", async () => {
  const owner = await createUser();
  const track = await coveredTrack(owner);
  const form = createForm({ "user[avatar_data]": await createPng(120, 120) });
  const { body } = await api.as(owner).put<{ avatar_url: string }>("/me", form);
  const pictures = [track.picture, body.avatar_url];
  const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer()).toString("hex");
  const before = await Promise.all(pictures.map(bytesOf));
  const cases = [];
  for (const of of [
    ["--track", String(track.id)],
    ["--user", owner.username],
  ])
    cases.push(await operate<{ id: number }>("picture remove", ...of, ...BECAUSE));
  // A sweep meanwhile spares pictures of cases.
  await runCron("*/5 * * * *");
  for (const picture of pictures) await becomes(picture, 404);
  for (const { id } of cases) await operate("removal restore", "--removal", String(id), ...BECAUSE);
  for (const picture of pictures) await becomes(picture, 200);
  expect(await Promise.all(pictures.map(bytesOf))).toEqual(before);
});

test("a removed picture whose owner chose another, and a removed set's, stay closed when they are deleted", async () => {
  const owner = await createUser();
  const track = await coveredTrack(owner);
  const { body: set } = await api.as(owner).post<Playlist>("/playlists", {
    json: { playlist: { title: "Covered", sharing: "public" } },
  });
  const cover = createForm({ "playlist[artwork_data]": await createPng(120, 120) });
  const { body } = await api.as(owner).put<Playlist>(`/playlists/${set.id}`, cover);
  const closed = [track.picture, body.artwork_url ?? ""];
  for (const picture of closed) expect((await fetch(picture)).status).toBe(200);
  await operate("picture remove", "--track", String(track.id), ...BECAUSE);
  await operate("set remove", "--set", String(set.id), ...BECAUSE);
  const another = createForm({ "track[artwork_data]": await createPng(121, 121) });
  const chosen = await api.as(owner).put<Track>(`/tracks/${track.id}`, another);
  for (const picture of closed) await becomes(picture, 404);
  expect((await fetch(chosen.body.artwork_url ?? "")).status).toBe(200);
  await api.as(owner).delete(`/tracks/${track.id}`);
  await api.as(owner).delete(`/playlists/${set.id}`);
  await runCron("*/5 * * * *");
  for (const picture of closed) expect((await fetch(picture)).status).toBe(404);
});

test("a picture that its owner replaced or took away is gone within a minute, though its files are kept", async () => {
  const owner = await createUser();
  const tracks = [await coveredTrack(owner), await coveredTrack(owner)];
  const pictures = tracks.map(({ picture }) => picture);
  const [replaced = "", bare = ""] = tracks.map(({ id }) => `/tracks/${id}`);
  for (const picture of pictures) expect((await fetch(picture)).status).toBe(200);
  const another = createForm({ "track[artwork_data]": await createPng(121, 121) });
  const prefixes = pictures.map((picture) => `images/${/images\/([0-9a-f]+)-/.exec(picture)?.[1]}/`);
  // The sweep of this stack keeps nothing, except during a backup.
  await whileHeld("select pg_advisory_xact_lock($1)", [BACKUP_LOCK], async () => {
    await api.as(owner).put(bare, { json: { track: { artwork_data: null } } });
    await api.as(owner).put(replaced, another);
    const later = "update object_garbage set due_at = now() + interval '1 hour' where prefix = any ($1)";
    await sql(later, [prefixes]);
  });
  const { body } = await api.as(owner).get<Track>(replaced);
  for (const picture of pictures) await becomes(picture, 404);
  for (const prefix of prefixes) expect(await keysUnder("media", prefix)).not.toEqual([]);
  expect((await fetch(body.artwork_url ?? "")).status).toBe(200);
});
