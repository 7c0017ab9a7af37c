import { beforeAll, expect, test } from "vitest";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { parseXml } from "../../support/xml.ts";
import { child, textIn } from "./podcasts.support.ts";
import { threeHosts } from "./three-hosts.ts";

/** The same service and database with another address. */
const elsewhere = await threeHosts();
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const GIVEN = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const guidIn = (xml: string) => textIn(child(parseXml(xml), "channel"), "podcast:guid");
const guidHere = async (path: string) => guidIn(await (await fetch(stack.urls.web + path)).text());
const guidThere = async (path: string) => guidIn((await elsewhere.open().get("web", path)).html);

const isStored = (table: "users" | "playlists", id: number) =>
  expect
    .poll(() => sql(`select from ${table} where id = $1 and podcast_guid is not null`, [id]))
    .toHaveLength(1);

test("a feed keeps the GUID that it was first given, whatever becomes of the service's address", async () => {
  const { id, permalink } = await createPlaylist(ana);
  for (const [table, subject, path] of [
    ["users", ana.id, `/${ana.username}/feed.xml`],
    ["playlists", id, `/${ana.username}/sets/${permalink}/feed.xml`],
  ] as const) {
    const given = await guidHere(path);
    expect(given).toMatch(GIVEN);
    await isStored(table, subject);
    expect([await guidHere(path), await guidThere(path)]).toEqual([given, given]);
  }
});

test("another feed of the other address is given its own", async () => {
  const path = async () => `/${ana.username}/sets/${(await createPlaylist(ana)).permalink}/feed.xml`;
  const [here, there] = [await guidHere(await path()), await guidThere(await path())];
  expect(there).toMatch(GIVEN);
  expect(there).not.toBe(here);
});

test("storing it changes neither the feed's tag nor its date", async () => {
  const { id, permalink } = await createPlaylist(ana);
  const feed = `${stack.urls.web}/${ana.username}/sets/${permalink}/feed.xml`;
  const first = await fetch(feed);
  const text = await first.text();
  await isStored("playlists", id);
  const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
  expect((await fetch(feed, { headers })).status).toBe(304);
  expect(await (await fetch(feed)).text()).toBe(text);
});

test("a podcast that moves in keeps the GUID of its former feed, also when the field is emptied or its fields end", async () => {
  const { id, permalink } = await createPlaylist(ana);
  const path = `/${ana.username}/sets/${permalink}/feed.xml`;
  const given = await guidHere(path);
  await isStored("playlists", id);
  const change = async (podcast: object) => {
    const { status, body } = await api
      .as(ana)
      .put<{ guid: string }>(`/playlists/${id}/podcast`, { json: { podcast } });
    return [status, body.guid];
  };
  expect(await change({ category: "Arts" })).toEqual([200, given]);
  const former = "917393E3-1B1E-5CEF-ACE4-EDAA54E1F810";
  expect(await change({ guid: former })).toEqual([200, former.toLowerCase()]);
  expect(await change({ author: "Ana" })).toEqual([200, former.toLowerCase()]);
  expect([await guidHere(path), await guidThere(path)]).toEqual(Array(2).fill(former.toLowerCase()));
  expect((await change({ guid: "917393e3" }))[0]).toBe(422);
  expect(await change({ guid: null })).toEqual([200, former.toLowerCase()]);
  await api.as(ana).delete(`/playlists/${id}/podcast`);
  expect(await guidHere(path)).toBe(former.toLowerCase());
});

test("the site's form takes it, and an older window leaves it", async () => {
  const { permalink } = await createPlaylist(ana);
  const path = `/${ana.username}/sets/${permalink}`;
  const browser = await elsewhere.enter(ana);
  const fields = {
    category: "Arts",
    language: "en",
    explicit: "no",
    podcast_type: "episodic",
    locked: "yes",
  };
  const guid = "917393e3-1b1e-5cef-ace4-edaa54e1f810";
  await browser.submit(`${path}/podcast`, `${path}/podcast`, { ...fields, guid });
  expect(await guidHere(`${path}/feed.xml`)).toBe(guid);
  const { status, html } = await browser.submit(`${path}/podcast`, `${path}/podcast`, {
    ...fields,
    guid: "none",
  });
  expect([status, html]).toEqual([422, expect.stringContaining("is no GUID")]);
  expect(await guidHere(`${path}/feed.xml`)).toBe(guid);
});
