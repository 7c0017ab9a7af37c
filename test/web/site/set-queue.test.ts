import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { QueuedTrack } from "../../../functions/web/pages/permalinks/set-queue.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { type ThreeHostsBrowser, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const ask = (browser: ThreeHostsBrowser, id: number | string, query = "") =>
  browser.get("web", `/you/sets/${id}/queue${query}`);

async function queueOf(browser: ThreeHostsBrowser, id: number, query = ""): Promise<QueuedTrack[]> {
  const { status, html } = await ask(browser, id, query);
  expect(status).toBe(200);
  return JSON.parse(html).tracks;
}

async function setOf(ids: number[], fields: Record<string, unknown> = {}): Promise<Playlist> {
  const tracks = ids.map((id) => ({ id }));
  const json = { playlist: { title: "A set", sharing: "public", tracks, ...fields } };
  return (await api.as(ana).post<Playlist>("/playlists", { json })).body;
}

test("a visitor gets a whole set in one statement, in order and without what does not play", async () => {
  const ids: number[] = [];
  for (let at = 0; at < 60; at++)
    ids.push((await createPlayableTrack(ana, { title: `Part ${at}`, sharing: "public" })).id);
  const blocked = await createPlayableTrack(ana, { sharing: "public", streamable: false });
  const waiting = await createTrack(ana, { sharing: "public" });
  const hidden = await createPlayableTrack(ana, { sharing: "private" });
  const set = await setOf([...ids, blocked.id, waiting.id, hidden.id]);
  const { html, headers, queries } = await ask(service.open(), set.id);
  const { tracks }: { tracks: QueuedTrack[] } = JSON.parse(html);
  expect(tracks.map(({ id }) => id)).toEqual(ids);
  expect([queries, headers["cache-control"]]).toEqual([1, "private, no-store"]);
  expect(tracks[0]).toMatchObject({
    title: "Part 0",
    artist: ana.username,
    durationMs: 10_000,
    page: expect.stringMatching(/\/stored-/),
    artistPage: expect.stringMatching(new RegExp(`/${ana.username}$`)),
  });
  expect(html).not.toMatch(/m3u8|\.mp3/);
});

test("a private set is listed to its owner and by its link, which opens its private tracks", async () => {
  const track = await createPlayableTrack(ana, { sharing: "private" });
  const set = await setOf([track.id], { sharing: "private" });
  for (const browser of [service.open(), await service.enter(await createUser())])
    expect((await ask(browser, set.id)).status).toBe(404);
  expect((await queueOf(await service.enter(ana), set.id)).map(({ id }) => id)).toEqual([track.id]);
  const [linked] = await queueOf(service.open(), set.id, `?secret_token=${set.secret_token}`);
  expect(linked).toMatchObject({
    id: track.id,
    secret: set.secret_token,
    page: expect.stringMatching(new RegExp(`/${set.secret_token}$`)),
  });
  expect((await ask(service.open(), set.id, `?secret_token=${track.secret}`)).status).toBe(404);
});

test("a session that has ended reads as a visitor", async () => {
  const bea = await createUser();
  const browser = await service.enter(bea);
  const set = await setOf([(await createPlayableTrack(ana, { sharing: "public" })).id]);
  await sql("update sessions set revoked_at = now() where user_id = $1", [bea.id]);
  expect(await queueOf(browser, set.id)).toHaveLength(1);
  expect(browser.jars.web.size).toBe(0);
});

test("404: a set that is not there, or no number", async () => {
  for (const id of [999_999_999, "none", "1.5", "9".repeat(30)])
    expect((await ask(service.open(), id)).status).toBe(404);
});
