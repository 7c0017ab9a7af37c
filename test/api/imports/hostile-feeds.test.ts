import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { feedOf, startFeedServer } from "./feed-server.ts";
import { begin, episodesOf, read } from "./imports.support.ts";

const server = await startFeedServer();
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const entities = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
  <!ENTITY c SYSTEM "file:///etc/passwd">]><rss><channel><title>&b;&c;</title><item><guid>1</guid></item></channel></rss>`;

const MEGABYTE = 2 ** 20;

test.each<[string, () => string, string]>([
  ["declares entities", () => server.serve("/bomb.xml", { bytes: entities }), "document type"],
  [
    "unpacks to more than 10 MB",
    () =>
      server.serve("/gzip.xml", {
        bytes: "",
        answer: (_, response) =>
          response
            .writeHead(200, { "Content-Encoding": "gzip" })
            .end(gzipSync(Buffer.alloc(64 * MEGABYTE, " "))),
      }),
    "10 MB at most",
  ],
  ["is a page", () => server.serve("/page.xml", { bytes: "<!doctype html><p>Hello" }), "is no RSS feed"],
  ["is no XML", () => server.serve("/words.xml", { bytes: "Hello" }), "is no RSS feed"],
  [
    "nests without end",
    () => server.serve("/deep.xml", { bytes: `<rss><channel>${"<a>".repeat(100_000)}` }),
    "is no RSS feed",
  ],
  [
    "has no episodes",
    () => server.serve("/empty.xml", { bytes: feedOf("Empty", "", []) }),
    "has no episodes",
  ],
  ["is missing", () => `${server.origin}/missing.xml`, "replied 404"],
  [
    "leads in a circle",
    () =>
      server.serve("/circle.xml", {
        bytes: "",
        answer: (_, response) => response.writeHead(302, { Location: "/circle.xml" }).end(),
      }),
    "redirects in a circle",
  ],
  [
    "leads to another protocol",
    () =>
      server.serve("/file.xml", {
        bytes: "",
        answer: (_, response) => response.writeHead(301, { Location: "file:///etc/passwd" }).end(),
      }),
    "public web",
  ],
])("422: a feed that %s", async (_, serve, why) => {
  const { status, body } = await begin(await createUser(), serve());
  expect(status).toBe(422);
  expect(JSON.stringify(body)).toContain(why);
});

test("422: an address that is none, and 429 after ten feeds in an hour", async () => {
  const ben = await createUser();
  for (const feed_url of ["feeds.example", "ftp://feeds.example/a", "javascript:alert(1)"])
    expect((await begin(ben, feed_url)).status).toBe(422);
  const feed = server.serve("/ten.xml", {
    bytes: feedOf("Ten", "", [{ guid: "1", url: `${server.origin}/1.mp3` }]),
  });
  const statuses: number[] = [];
  for (let n = 0; n < 11; n++) statuses.push((await begin(ben, feed)).status);
  expect(statuses).toEqual([...Array(10).fill(201), 429]);
});

test("422: a feed of this service", async () => {
  const { status, body } = await begin(await createUser(), `${stack.urls.web}/${ana.username}/feed.xml`);
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining("is a feed of this service")]);
});

test("what is no audio, too large or from here is left out with its reason, and an episode without a guid has its address", async () => {
  const enclosed = (url: string, type = "audio/mpeg", length = 1) => ({
    more: `<enclosure url="${url}" type="${type}" length="${length}"/>`,
  });
  const url = `${server.origin}/no-guid.mp3`;
  const feed = server.serve("/mixed.xml", {
    bytes: feedOf("Mixed", "", [
      { guid: "video", ...enclosed(`${server.origin}/v.mp4`, "video/mp4") },
      { guid: "large", ...enclosed(`${server.origin}/l.mp3`, "audio/mpeg", 5_000_000_000) },
      { guid: "here", ...enclosed(`${stack.urls.web}/${ana.username}/song/audio.mp3`) },
      { guid: "", title: "Without", url },
    ]),
  });
  const who = await createUser();
  const { id } = (await begin(who, feed)).body;
  const found = (await episodesOf(who, id)).map(({ guid, reason }) => [guid, reason?.code]);
  expect(Object.fromEntries(found)).toEqual({
    video: "video",
    large: "too_large",
    here: "from_here",
    [url]: undefined,
  });
});

test("a feed in Latin 1 is read as its server says", async () => {
  const feed = server.serve("/latin.xml", {
    bytes: Buffer.from(feedOf("Café", "", [{ guid: "1", url: `${server.origin}/1.mp3` }]), "latin1"),
    type: "application/rss+xml; charset=ISO-8859-1",
  });
  expect((await begin(await createUser(), feed)).body.title).toBe("Café");
});

test("10,000 episodes are read: the newest 500 come along, the list has pages, and each guid counts once", async () => {
  const items = Array.from({ length: 10_000 }, (_, n) => ({
    guid: String(n),
    url: `${server.origin}/${n}.mp3`,
    date: new Date(Date.UTC(2000, 0, 1) + n * 86_400_000).toUTCString(),
  }));
  const feed = server.serve("/many.xml", { bytes: feedOf("Many", "", [...items, ...items.slice(0, 9)]) });
  const { body } = await begin(ana, feed);
  expect(body.episodes).toMatchObject({ waiting: 500, left_out: 9_500 });
  const first = await episodesOf(ana, body.id);
  expect(first.map(({ guid }) => guid)).toEqual(Array.from({ length: 50 }, (_, n) => String(9_999 - n)));
  const path = `/me/podcast-imports/${body.id}/episodes?linked_partitioning=true&limit=200`;
  const one = (await api.as(ana).get<{ collection: { guid: string }[]; next_href: string }>(path)).body;
  const two = (await api.as(ana).get<{ collection: { guid: string }[] }>(one.next_href)).body;
  expect(two.collection[0]?.guid).toBe("9799");
});

test("names that a feed would put on pages are plain text, whatever is in them", async () => {
  const title = "&lt;script&gt;alert(1)&lt;/script&gt; \u202Ereversed";
  const feed = server.serve("/markup.xml", {
    bytes: feedOf(title, "<title/>", [{ guid: "1", title, url: `${server.origin}/m.mp3` }]),
  });
  const { id } = (await begin(ana, feed)).body;
  expect((await read(ana, id)).title).toBe("<script>alert(1)</script> reversed");
  expect((await episodesOf(ana, id))[0]?.title).toBe("<script>alert(1)</script> reversed");
});
