import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { createPng } from "../../support/images.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { type FeedServer, feedOf, startFeedServer } from "./feed-server.ts";
import { begin, confirm, episodesOf, read, runNow, waitForImport } from "./imports.support.ts";

let server: FeedServer;
let image: string;

beforeAll(async () => {
  server = await startFeedServer();
  image = server.serve("/cover.png", { bytes: await createPng(200, 200), type: "image/png" });
});

const coverOf = async (who: Person, set: number) =>
  (await api.as(who).get<Playlist>(`/playlists/${set}`)).body.artwork_url;

/** Moves in a feed that proves to be its user's. */
async function moveInByText(who: Person, feed: string): Promise<number> {
  const { id } = (await begin(who, feed)).body;
  expect((await confirm(who, id)).status).toBe(200);
  await runNow(id);
  await waitForImport(who, id);
  return id;
}

/** A podcast with a picture, whose set has it, and an episode that failed. */
async function moveInCovered() {
  const who = await createUser();
  const channel = `<podcast:txt>soundpost-verify-${who.id}</podcast:txt><itunes:image href="${image}"/>`;
  const item = { guid: "lost", url: `${server.origin}/lost.mp3` };
  const feed = server.serve(`/${who.id}.xml`, { bytes: feedOf("Covered", channel, [item]) });
  const id = await moveInByText(who, feed);
  const set = Number((await read(who, id)).playlist_id);
  expect(await coverOf(who, set)).toContain("/images/");
  return { who, feed, id, set };
}

/** Lets the import run once more. */
async function runAgain(who: Person, id: number): Promise<void> {
  const [lost] = await episodesOf(who, id);
  await api.as(who).post(`/me/podcast-imports/${id}/episodes/${lost?.id}/retry`);
  await runNow(id);
  await waitForImport(who, id);
}

test("a cover that its owner takes off does not return while the podcast moves in", async () => {
  const { who, id, set } = await moveInCovered();
  const json = { playlist: { artwork_data: null } };
  expect((await api.as(who).put(`/playlists/${set}`, { json })).status).toBe(200);
  await runAgain(who, id);
  expect(await coverOf(who, set)).toBeNull();
});

test("a cover that operators remove does not return with the feed, nor when it is read anew", async () => {
  const { who, feed, id, set } = await moveInCovered();
  await operate("picture remove", "--set", String(set), "--reason", "not theirs");
  await runAgain(who, id);
  expect(await coverOf(who, set)).toBeNull();
  const again = await moveInByText(who, feed);
  expect((await read(who, again)).playlist_id).toBe(set);
  expect(await coverOf(who, set)).toBeNull();
});
