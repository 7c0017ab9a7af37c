import { test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { swept } from "../encoding/sweep.support.ts";
import { api } from "../support/api.ts";
import { createForm, createPng } from "../support/images.ts";
import { operate } from "../support/operate.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { createPlayableTrack } from "../support/tracks.ts";
import { becomes, coveredTrack } from "./pictures.support.ts";

const BECAUSE = ["--reason", "Somebody else drew it"];

type Activities = { collection: { origin: { track: { artwork_url: string | null } } }[] };

async function picturedChapter(owner: Person): Promise<{ id: number; path: string; picture: string }> {
  const { id } = await createPlayableTrack(owner);
  const path = `/tracks/${id}/chapters`;
  await api.as(owner).put(path, { json: { chapters: [{ startTime: 0, title: "Hello" }] } });
  const form = createForm({ "chapter[picture_data]": await createPng(120, 120) });
  const { body } = await api.as(owner).put<{ chapters: { img: string }[] }>(`${path}/0/picture`, form);
  return { id, path: `${path}/0/picture`, picture: body.chapters[0]?.img ?? "" };
}

test.concurrent("a track's picture goes within a minute of its takedown, caches too, comes back with it, and stays away when the owner replaces it or deletes the track", async ({
  expect,
}) => {
  const owner = await createUser();
  const [track, other] = [await coveredTrack(owner), await coveredTrack(owner)];
  const { headers } = await fetch(track.picture);
  await api.as(await createUser()).post(`/likes/tracks/${track.id}`);
  const shownInActivities = async () => {
    const { body } = await api.as(owner).get<Activities>("/me/activities/all/own");
    return body.collection.map(({ origin }) => origin.track.artwork_url);
  };
  expect(await shownInActivities()).toEqual([track.picture]);
  const takeDown = ({ id }: { id: number }) => operate("track take-down", "--track", String(id), ...BECAUSE);
  const [replaced, deleted] = [await coveredTrack(owner), await coveredTrack(owner)];
  for (const closed of [replaced, deleted]) {
    expect((await fetch(closed.picture)).status).toBe(200);
    await takeDown(closed);
  }
  await api.as(owner).put(`/tracks/${replaced.id}`, { json: { track: { artwork_data: null } } });
  await api.as(owner).delete(`/tracks/${deleted.id}`);
  const [chapter, unpictured] = [await picturedChapter(owner), await picturedChapter(owner)];
  for (const { picture } of [chapter, unpictured]) expect((await fetch(picture)).status).toBe(200);
  await takeDown(chapter);
  await api.as(owner).put(unpictured.path, { json: { chapter: { picture_data: null } } });
  await takeDown(track);
  expect(await shownInActivities()).toEqual([null]);
  expect((await api.as(owner).get<Track>(`/tracks/${track.id}`)).body.artwork_url).toBeNull();
  await becomes(track.picture, 404, expect);
  const known = await fetch(track.picture, { headers: { "If-None-Match": headers.get("ETag") ?? "" } });
  expect(known.status).toBe(404);
  expect((await fetch(other.picture)).status).toBe(200);
  // Their owner acted before the list that closed the first was read.
  for (const { picture } of [replaced, deleted, chapter, unpictured])
    expect((await fetch(picture)).status).toBe(404);
  await operate("track put-back", "--track", String(track.id));
  await becomes(track.picture, 200, expect);
  expect((await api.as(owner).get<Track>(`/tracks/${track.id}`)).body.artwork_url).toBe(track.picture);
});

test.concurrent("a suspended user's pictures go too, and come back with the user", async ({ expect }) => {
  const owner = await createUser();
  const { picture } = await coveredTrack(owner);
  const form = createForm({ "user[avatar_data]": await createPng(120, 120) });
  const { body } = await api.as(owner).put<{ avatar_url: string }>("/me", form);
  expect((await fetch(body.avatar_url)).status).toBe(200);
  await operate("user suspend", "--user", owner.username, ...BECAUSE);
  await becomes(body.avatar_url, 404, expect);
  expect((await fetch(picture)).status).toBe(404);
  await operate("user restore", "--user", owner.username);
  await becomes(body.avatar_url, 200, expect);
  expect((await fetch(picture)).status).toBe(200);
});

test.concurrent("a picture that a suspension closed stays closed when the user is deleted, also by caches", async ({
  expect,
}) => {
  const withPicture = async () => {
    const owner = await createUser();
    const form = createForm({ "user[avatar_data]": await createPng(120, 120) });
    const { body } = await api.as(owner).put<{ avatar_url: string }>("/me", form);
    expect((await fetch(body.avatar_url)).status).toBe(200);
    return { owner, picture: body.avatar_url };
  };
  // Nobody asks for the second while the suspension closes it, so no request drops it from the cache.
  const [gone, unasked, other] = [await withPicture(), await withPicture(), await withPicture()];
  const act = (name: string, { owner } = gone) =>
    operate(`user ${name}`, "--user", String(owner.id), ...BECAUSE);
  const disable = (at: string) => sql(`update users set disabled_at = ${at} where id = $1`, [other.owner.id]);
  await act("suspend");
  await becomes(gone.picture, 404, expect);
  await act("suspend", unasked);
  for (const deleted of [gone, unasked]) await act("delete", deleted);
  const left = [gone.owner.id, unasked.owner.id];
  await swept(() => sql("select 1 from users where id = any ($1)", [left]), expect).toEqual([]);
  // Disabled without a suspension, like one who has left and is not erased yet. The list was renewed when this picture closes.
  await disable("now()");
  await becomes(other.picture, 404, expect);
  for (const { picture } of [gone, unasked]) expect((await fetch(picture)).status).toBe(404);
  await disable("null");
});
