import { beforeEach, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { createReader, itemsOf } from "../../api/feed/feed.support.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { uniqueWord } from "../../api/tracks/lists.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { rowsIn } from "./news.support.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let browser: ThreeHostsBrowser;
let word: string;
let track: { id: number };
let page: string;

beforeEach(async () => {
  ana = await createUser();
  browser = await service.open().enterSite(ana.id);
  word = uniqueWord();
  track = await createPlayableTrack(ana, { sharing: "private", title: `${word} night`, permalink: word });
  page = `/${ana.username}/${word}`;
});

const read = async () => (await api.as(ana).get<Track>(`/tracks/${track.id}`)).body;

async function edit(changes: Record<string, string>) {
  const { html } = await browser.get("web", `${page}/edit`);
  return browser.postParts("web", `${page}/edit`, { ...fieldsIn(html, `${page}/edit`), ...changes });
}

const inADay = new Date(Date.now() + 86_400_000).toISOString();
/** The value of a field, which has no zone. */
const entered = inADay.slice(0, 16);
const stored = `${entered}:00Z`;

test("without script the field is in UTC and says so, and the page tells when it will be published", async () => {
  expect((await browser.get("web", `${page}/edit`)).html).toContain("Publish at (UTC)</label>");
  expect((await edit({ publish_at: entered })).status).toBe(303);
  expect((await read()).publish_at).toBe(stored);
  const { html } = await browser.get("web", `${page}/edit`);
  expect(fieldsIn(html, `${page}/edit`).publish_at).toBe(entered);
  for (const path of [page, "/you/tracks"])
    expect((await browser.get("web", path)).html).toContain(
      `Will be published on <time datetime="${stored}"`,
    );
  // Saving another field keeps the time.
  expect((await edit({ title: "Other" })).status).toBe(303);
  expect(await read()).toMatchObject({ title: "Other", publish_at: stored });
  expect((await edit({ publish_at: "" })).status).toBe(303);
  expect(await read()).toMatchObject({ sharing: "private", publish_at: null });
});

test("the script's offset moves the time to UTC", async () => {
  expect((await edit({ publish_at: entered, publish_at_offset: "+02:00" })).status).toBe(303);
  expect(Date.parse((await read()).publish_at ?? "")).toBe(Date.parse(stored) - 2 * 3_600_000);
});

test("422: a refused time stays in the field, in UTC, with the reason beside it", async () => {
  const refused = await edit({ publish_at: "2020-01-01T10:00", publish_at_offset: "+02:00" });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("has passed");
  expect(fieldsIn(refused.html, `${page}/edit`).publish_at).toBe("2020-01-01T08:00");
  expect((await edit({ publish_at: "soon" })).status).toBe(422);
  expect((await read()).publish_at).toBeNull();
});

test("a set takes a time, too", async () => {
  const set = await createPlaylist(ana, { sharing: "private", title: word });
  const path = `/${ana.username}/sets/${word}/edit`;
  const { html } = await browser.get("web", path);
  const sent = { ...fieldsIn(html, path), publish_at: entered };
  expect((await browser.postParts("web", path, sent)).status).toBe(303);
  const sentence = `Will be published on <time datetime="${stored}"`;
  for (const shown of ["/you/sets", `/${ana.username}/sets/${word}`])
    expect((await browser.get("web", shown)).html).toContain(sentence);
  expect((await api.as(ana).get<Track>(`/playlists/${set.id}`)).body.publish_at).toBe(stored);
});

test("what is scheduled is behind no door before its time, and behind all of them after", async () => {
  const fan = await createReader(ana);
  const visitor = service.open();
  const set = await createPlaylist(ana, { sharing: "private", title: `${word} set`, tracks: [track] });
  const address = `${stack.urls.api}${page}`;
  const doors: Record<string, () => Promise<string>> = {
    track: async () => String((await api.as(fan).get(`/tracks/${track.id}`)).status === 200 && track.id),
    playlist: async () => String((await api.as(fan).get(`/playlists/${set.id}`)).status === 200 && track.id),
    streams: async () =>
      String((await api.as(fan).get(`/tracks/${track.id}/streams`)).status === 200 && track.id),
    search: async () => JSON.stringify((await api.as(fan).get(`/tracks?q=${word}`)).body),
    suggestions: async () => JSON.stringify((await api.as(fan).get(`/suggestions?q=${word}`)).body),
    list: async () => JSON.stringify((await api.as(fan).get(`/users/${ana.id}/tracks`)).body),
    feed: async () => String(await itemsOf(fan)),
    resolve: async () =>
      String((await api.as(fan).get(`/resolve?url=${address}`)).status !== 404 && track.id),
    oembed: async () => String((await api.get(`/oembed?url=${address}`)).status === 200 && track.id),
    page: async () => String((await visitor.get("web", page)).status === 200 && track.id),
    profile: async () => (await visitor.get("web", `/${ana.username}`)).html,
    rss: async () => (await visitor.get("web", `/${ana.username}/feed.xml`)).html,
    sitemap: async () => (await visitor.get("web", `/sitemaps/tracks-${ana.id}-${track.id}.xml`)).html,
    notifications: async () =>
      rowsIn((await (await service.enter(fan)).get("web", "/you/notifications")).html).join(),
  };
  const open = async () => {
    const shown: string[] = [];
    for (const [name, look] of Object.entries(doors)) {
      const seen = await look();
      if (seen.includes(String(track.id)) || seen.includes(word)) shown.push(name);
    }
    return shown;
  };
  const json = { publish_at: stored, sharing: "public" };
  await api.as(ana).put(`/playlists/${set.id}`, { json: { playlist: json } });
  await api.as(ana).put(`/tracks/${track.id}`, { json: { track: json } });
  expect(await open()).toEqual([]);
  await sql(
    `with time as (select date_trunc('second', now()) as at), due_tracks as (
       update tracks set publish_at = time.at from time where id = $1)
     update playlists set publish_at = time.at from time where id = $2`,
    [track.id, set.id],
  );
  await runCron("* * * * *");
  await expect.poll(open).toEqual(Object.keys(doors));
});
