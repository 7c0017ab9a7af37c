import { once } from "node:events";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { parseXml } from "../../support/xml.ts";
import { child, feedFaults, textIn } from "./podcasts.support.ts";

const ELSEWHERE = "https://feeds.example/ana?id=1&x=2";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

async function createPodcast(sharing: "public" | "private" = "public") {
  const set = await createPlaylist(ana, { sharing });
  const change = (podcast: Record<string, unknown>) =>
    api.as(ana).put<Record<string, unknown>>(`/playlists/${set.id}/podcast`, { json: { podcast } });
  await change({ category: "Arts", owner_email: "ana@example.com" });
  const secret = sharing === "private" ? `/${set.secret_token}` : "";
  return { change, path: `/${ana.username}/sets/${set.permalink}`, secret };
}

/** `fetch` follows redirects, and sends a `Sec-Fetch-Mode` of its own. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const [reply] = await once(request(stack.urls.web + path, { headers }).end(), "response");
  return { status: reply.statusCode, headers: new Headers(reply.headers), bytes: await buffer(reply) };
}

const channelOf = (bytes: Buffer) => child(parseXml(bytes.toString()), "channel");

test("a feed that moved leads programs to its new address, whatever copy they hold, until its owner takes it back", async () => {
  const { change, path } = await createPodcast();
  const feed = `${path}/feed.xml`;
  const tag = (await ask(feed)).headers.get("ETag") ?? "";
  expect((await change({ new_feed_url: ELSEWHERE })).body).toMatchObject({ new_feed_url: ELSEWHERE });
  const moved = await ask(feed, { "If-None-Match": tag });
  expect([moved.status, moved.headers.get("Location")]).toEqual([301, ELSEWHERE]);
  expect(moved.headers.get("Cache-Control")).toBe("private, no-cache");
  expect(moved.headers.get("Server-Timing")).toContain("queries: 1");
  await change({ new_feed_url: null });
  const back = await ask(feed);
  expect([back.status, textIn(channelOf(back.bytes), "itunes:new-feed-url")]).toEqual([200, undefined]);
});

test("a browser shows a feed that moved, so that no link to the site leads elsewhere", async () => {
  const { change, path } = await createPodcast();
  await change({ new_feed_url: ELSEWHERE });
  const shown = await ask(`${path}/feed.xml`, { "Sec-Fetch-Mode": "navigate" });
  expect([shown.status, shown.headers.get("Cache-Control")]).toEqual([200, "private, no-cache"]);
  expect(feedFaults(parseXml(shown.bytes.toString()))).toEqual([]);
  expect(textIn(channelOf(shown.bytes), "itunes:new-feed-url")).toBe(ELSEWHERE);
});

test("a private feed that moved leads on only those who hold its secret", async () => {
  const { change, path, secret } = await createPodcast("private");
  await change({ new_feed_url: ELSEWHERE });
  const moved = await ask(`${path}${secret}/feed.xml`);
  expect([moved.status, moved.headers.get("Location")]).toEqual([301, ELSEWHERE]);
  expect((await ask(`${path}/feed.xml`)).status).toBe(404);
});

test("a feed that names its own address, as one that moved here does, stays there", async () => {
  const { change, path } = await createPodcast();
  for (const new_feed_url of [
    `${stack.urls.web}${path}/feed.xml?again`,
    `${stack.urls.web}${path}/feed.xml`,
    `${stack.urls.web}${path.replace("/sets/", "/%73ets/")}/feed.xml`,
    // Hosts lead one scheme on to the other.
    `${stack.urls.web.replace("http:", "https:")}${path}/feed.xml`,
  ]) {
    await change({ new_feed_url });
    const { status, bytes } = await ask(`${path}/feed.xml`);
    expect([status, textIn(channelOf(bytes), "itunes:new-feed-url")]).toEqual([200, new_feed_url]);
  }
});

test("a feed that names a former address of its own stays there, whoever was renamed", async () => {
  const { change, path } = await createPodcast();
  await change({ new_feed_url: `${stack.urls.web}${path}/feed.xml` });
  const [, user, , set] = path.split("/");
  const { body } = await api.as(ana).get<{ id: number }>(`/resolve?url=${stack.urls.web}${path}`);
  const renamed = await api
    .as(ana)
    .put(`/playlists/${body.id}/permalink`, { json: { permalink: `${set}-renamed` } });
  expect(renamed.status).toBe(200);
  const now = `/${user}/sets/${set}-renamed/feed.xml`;
  expect((await ask(now)).status).toBe(200);
  expect((await ask(`${path}/feed.xml`)).headers.get("Location")).toBe(stack.urls.web + now);
});

test("a feed that names its address by another name of this machine stays there", async () => {
  const { change, path } = await createPodcast();
  const feed = `${path}/feed.xml`;
  const Host = `127.0.0.1:${new URL(stack.urls.web).port}`;
  const other = `http://${Host}${feed}`;
  await change({ new_feed_url: other });
  expect((await ask(feed)).headers.get("Location")).toBe(other);
  expect((await ask(feed, { Host })).status).toBe(200);
});

test("a podcast is locked if its owner says so and can be asked", async () => {
  const { change, path } = await createPodcast();
  const locked = async () => {
    const { text, attributes } = child(channelOf((await ask(`${path}/feed.xml`)).bytes), "podcast:locked");
    return [text, attributes.owner];
  };
  expect(await locked()).toEqual(["yes", "ana@example.com"]);
  expect((await change({ locked: false })).body).toMatchObject({ locked: false });
  expect(await locked()).toEqual(["no", "ana@example.com"]);
  await change({ locked: true, owner_email: null });
  expect(await locked()).toEqual(["no", undefined]);
});
