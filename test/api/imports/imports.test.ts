import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { mailsTo } from "../../support/browser.ts";
import { createPng } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { makeSources } from "../../support/sources.ts";
import { sql } from "../../support/stack.ts";
import { parseXml } from "../../support/xml.ts";
import { child, childrenOf, textIn } from "../../web/site/podcasts.support.ts";
import { type FeedServer, feedOf, ownerOf, startFeedServer } from "./feed-server.ts";
import {
  begin,
  codeFor,
  codeIn,
  confirm,
  episodesOf,
  moveIn,
  newEmail,
  read,
  runNow,
  waitForImport,
} from "./imports.support.ts";

let server: FeedServer;
let audio: Buffer;

beforeAll(async () => {
  server = await startFeedServer();
  audio = readFileSync((await makeSources()).mp3.path);
});

const serveFeed = (name: string, email: string, items: Parameters<typeof feedOf>[2], channel = "") =>
  server.serve(`/${name}.xml`, {
    bytes: feedOf(name, ownerOf(email) + channel, items),
    type: "application/rss+xml",
  });

const serveAudio = (name: string) => server.serve(`/${name}.mp3`, { bytes: audio });

const GUID = "917393e3-1b1e-5cef-ace4-edaa54e1f810";

test("a podcast moves in with everything that its feed says, and its feed here says the same", async () => {
  const ana = await createUser();
  const email = newEmail();
  const vtt = server.serve("/7.vtt", { bytes: "WEBVTT\n\n00:00.000 --> 00:01.000\nHello", type: "text/vtt" });
  const picture = server.serve("/7.png", { bytes: await createPng(200, 200), type: "image/png" });
  const chapters = server.serve("/7.json", {
    bytes: JSON.stringify({
      chapters: [
        { startTime: 0, title: "Hello", img: picture },
        { startTime: 1, img: picture },
        { startTime: 2, img: "https://a.example/lost.png" },
      ],
    }),
  });
  const item = `<itunes:season>2</itunes:season><itunes:episode>7</itunes:episode><itunes:episodeType>bonus</itunes:episodeType>
    <itunes:explicit>true</itunes:explicit><content:encoded><![CDATA[<p>Notes <script>alert(1)</script><a href="https://a.example/">link</a></p>]]></content:encoded>
    <podcast:transcript url="${vtt}" type="text/vtt"/><podcast:chapters url="${chapters}" type="application/json+chapters"/>`;
  // The owner that the lock names goes before that of iTunes.
  const feed = serveFeed(
    "whole",
    newEmail(),
    [
      { guid: "old", url: serveAudio("old"), date: "Tue, 02 Jan 2018 03:04:05 +0000" },
      { guid: "https://a.example/?p=7", title: "Seven &amp; more", url: serveAudio("seven"), more: item },
      { guid: "letter", title: "No sound" },
    ],
    `<podcast:locked owner="${email}">no</podcast:locked><podcast:guid>${GUID}</podcast:guid><itunes:category text="Arts"><itunes:category text="Design"/></itunes:category><language>de-de</language>`,
  );
  const preview = (await begin(ana, feed)).body;
  expect(preview).toMatchObject({
    state: "preview",
    title: "whole",
    owner_email: email,
    guid: GUID,
    episodes: { waiting: 2, left_out: 1 },
  });
  expect(
    (await episodesOf(ana, preview.id)).map(({ guid, state, reason }) => [guid, state, reason?.code]),
  ).toEqual([
    ["https://a.example/?p=7", "waiting", undefined],
    ["letter", "left_out", "no_audio"],
    ["old", "waiting", undefined],
  ]);
  expect(server.askedFor("/old.mp3")).toEqual([]);
  await confirm(ana, preview.id, { code: await codeFor(email) });
  const episodes = await waitForImport(ana, preview.id);
  expect(episodes.map(({ state }) => state)).toEqual(["done", "left_out", "done"]);
  await expect.poll(async () => (await read(ana, preview.id)).state).toBe("done");
  const ended = await read(ana, preview.id);
  expect(ended).toMatchObject({ state: "done", episodes: { done: 2, left_out: 1 } });

  const track = (await api.as(ana).get<Track>(`/tracks/${episodes[0]?.track_id}`)).body;
  expect(track).toMatchObject({ title: "Seven & more", track_type: "podcast", sharing: "public" });
  expect(track.description).toBe(
    '<p>Notes <a href="https://a.example/" rel="nofollow ugc noopener">link</a></p>',
  );

  const texts = await Promise.all(
    ["chapters", "transcript"].map((what) => api.as(ana).get(`/tracks/${track.id}/${what}`)),
  );
  for (const { status, body } of texts) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain("Hello");
  }
  const listed = await api.as(ana).get<{ chapters: { img: string }[] }>(`/tracks/${track.id}/chapters`);
  const images = listed.body.chapters.map(({ img }) => img);
  expect([images[1], images[2]]).toEqual([images[0], "https://a.example/lost.png"]);
  expect((await fetch(images[0] ?? "")).status).toBe(200);
  expect(server.askedFor("/7.png")).toHaveLength(1);

  const rss = await (await fetch(`${ended.playlist_url}/feed.xml`)).text();
  const channel = child(parseXml(rss), "channel");
  expect([textIn(channel, "podcast:guid"), textIn(channel, "language")]).toEqual([GUID, "de-DE"]);
  const [newest, oldest] = childrenOf(channel, "item");
  if (!newest || !oldest) throw new Error("an episode is missing");
  expect(
    ["guid", "pubDate", "itunes:season", "itunes:episode", "itunes:episodeType", "itunes:explicit"].map(
      (name) => textIn(newest, name),
    ),
  ).toEqual(["https://a.example/?p=7", "Sat, 01 Mar 2025 06:00:00 GMT", "2", "7", "bonus", "true"]);
  expect([textIn(oldest, "guid"), textIn(oldest, "pubDate")]).toEqual([
    "old",
    "Tue, 02 Jan 2018 03:04:05 GMT",
  ]);
});

test("moving the same feed in again brings what is new, into the same set", async () => {
  const ana = await createUser();
  const email = newEmail();
  const first = { guid: "1", url: serveAudio("first"), date: "Fri, 01 Mar 2999 06:00:00 +0000" };
  const feed = serveFeed("again", email, [first]);
  const { id, playlist_id } = await moveIn(ana, feed, email);
  const [episode] = await waitForImport(ana, id);
  const { body: track } = await api.as(ana).get<Track>(`/tracks/${episode?.track_id}`);
  // Nothing is dated in the future.
  expect(Date.parse(track.published_at ?? "")).toBeLessThanOrEqual(Date.now());
  serveFeed("again", email, [first, { guid: "2", url: serveAudio("second") }]);
  await expect.poll(async () => (await read(ana, id)).state).toBe("done");
  const repeated = (await begin(ana, feed)).body;
  expect(repeated.episodes).toMatchObject({ waiting: 1, left_out: 1 });
  await expect.poll(() => mailsTo(email)).toHaveLength(2);
  const codes = (await mailsTo(email)).map(codeIn);
  const replies = await Promise.all(codes.map((code) => confirm(ana, repeated.id, { code })));
  expect(replies.map(({ status }) => status)).toContain(200);
  await waitForImport(ana, repeated.id);
  expect((await read(ana, repeated.id)).playlist_id).toBe(playlist_id);
  const { body } = await api.as(ana).get<Playlist>(`/playlists/${playlist_id}`);
  expect(body.track_count).toBe(2);
});

test("a feed that was read twice brings nothing twice", async () => {
  const ana = await createUser();
  const email = newEmail();
  const feed = serveFeed("twice", email, [{ guid: "1", url: serveAudio("twice") }]);
  const { id, playlist_id } = await moveIn(ana, feed, email);
  // Nothing has arrived yet as far as this preview knows.
  await sql("update podcast_import_episodes set state = 'fetching' where import_id = $1", [id]);
  const { id: second } = (await begin(ana, feed)).body;
  await sql(
    "update podcast_import_episodes set state = 'waiting', lease_token = null where import_id = $1 and state = 'fetching'",
    [id],
  );
  await runNow(id);
  await waitForImport(ana, id);
  await expect.poll(async () => (await read(ana, id)).state).toBe("done");
  await expect.poll(() => mailsTo(email)).toHaveLength(2);
  for (const mail of await mailsTo(email)) await confirm(ana, second, { code: codeIn(mail) });
  expect(await waitForImport(ana, second)).toMatchObject([
    { state: "left_out", reason: { code: "already_here" } },
  ]);
  const { body } = await api.as(ana).get<Playlist>(`/playlists/${playlist_id}`);
  expect(body.track_count).toBe(1);
});

test("a feed is proven by the mailed code alone, and ten wrong ones end it", async () => {
  const [ana, ben] = await Promise.all([createUser(), createUser()]);
  const email = newEmail();
  const feed = serveFeed("proven", email, [{ guid: "1", url: serveAudio("proven") }]);
  const { id } = (await begin(ana, feed)).body;
  const code = await codeFor(email);
  const others = (await begin(ben, feed)).body;
  expect((await confirm(ben, id, { code: "AAAA-AAAA-AAAA-AAAA" })).status).toBe(404);
  expect((await confirm(ana, id)).status).toBe(422);
  for (let wrong = 0; wrong < 10; wrong++)
    expect((await confirm(ana, id, { code: "AAAA-AAAA-AAAA-AAAA" })).status).toBe(422);
  // Neither does the right one work then.
  expect((await confirm(ana, id, { code })).status).toBe(409);
  expect((await confirm(ben, others.id, { code: "not a code" })).status).toBe(422);
  expect(server.askedFor("/proven.mp3")).toEqual([]);
});

test("an address gets five codes an hour, from all accounts: further previews are proven by their feeds", async () => {
  const [ana, ben] = await Promise.all([createUser(), createUser()]);
  const email = newEmail();
  const items = [{ guid: "1", url: serveAudio("named") }];
  const feed = serveFeed("named", email, items);
  for (let mailed = 0; mailed < 5; mailed++) expect((await begin(ana, feed)).body.owner_email).toBe(email);
  const again = serveFeed("named-again", email.toUpperCase(), items);
  expect((await begin(ben, again)).body.owner_email).toBe(null);
  await expect.poll(() => mailsTo(email)).toHaveLength(5);
});

test("a feed without an address is proven by a text in it that names the user", async () => {
  const [ana, ben] = await Promise.all([createUser(), createUser()]);
  const items = [{ guid: "1", url: serveAudio("text") }];
  const serve = (channel: string) => server.serve("/text.xml", { bytes: feedOf("text", channel, items) });
  const feed = serve("");
  const { id, owner_email, proof_text } = (await begin(ana, feed)).body;
  const ofBen = (await begin(ben, feed)).body;
  expect(owner_email).toBe(null);
  expect((await confirm(ana, id)).status).toBe(422);
  serve(`<podcast:txt purpose="verify">${proof_text}</podcast:txt>`);
  expect((await confirm(ben, ofBen.id)).status).toBe(422);
  expect((await confirm(ana, id)).body.state).toBe("running");
  expect((await waitForImport(ana, id)).map(({ state }) => state)).toEqual(["done"]);
  serve(`<description>Hello ${ofBen.proof_text}</description>`);
  expect((await confirm(ben, ofBen.id)).body.state).toBe("running");
});

test("a locked podcast is shown, and neither mails nor moves", async () => {
  const ana = await createUser();
  const email = newEmail();
  const feed = serveFeed(
    "locked",
    email,
    [{ guid: "1", url: serveAudio("locked") }],
    `<podcast:locked owner="${email}">yes</podcast:locked>`,
  );
  const { id, locked, owner_email } = (await begin(ana, feed)).body;
  expect([locked, owner_email]).toEqual([true, null]);
  expect((await confirm(ana, id, { code: "AAAA-AAAA-AAAA-AAAA" })).status).toBe(409);
  expect(await mailsTo(email)).toEqual([]);
});

test("an unconfirmed address moves nothing in, and nobody reads another's import", async () => {
  const [ana, ben] = await Promise.all([createUser(), createUser()]);
  const email = newEmail();
  const feed = serveFeed("rights", email, [{ guid: "1", url: serveAudio("rights") }]);
  await sql("update accounts set confirmed_at = null where user_id = $1", [ben.id]);
  expect((await begin(ben, feed)).status).toBe(403);
  const { id } = (await begin(ana, feed)).body;
  expect((await api.as(ben).get(`/me/podcast-imports/${id}`)).status).toBe(404);
  expect((await api.as(ben).delete(`/me/podcast-imports/${id}`)).status).toBe(404);
  expect((await api.as(ben).get<unknown[]>(`/me/podcast-imports/${id}/episodes`)).body).toEqual([]);
});

test("one server is asked for one file at a time, under a name that says who asks", async () => {
  const own = await startFeedServer();
  const people: Person[] = await Promise.all([createUser(), createUser()]);
  const imports = await Promise.all(
    people.map(async (who, n) => {
      const email = newEmail();
      const items = ["a", "b"].map((name) => ({
        guid: name,
        url: own.serve(`/${n}${name}.mp3`, { bytes: audio }),
      }));
      return moveIn(who, own.serve(`/${n}.xml`, { bytes: feedOf("busy", ownerOf(email), items) }), email);
    }),
  );
  await expect
    .poll(async () => {
      await Promise.all(imports.map(({ id }) => runNow(id)));
      return Promise.all(imports.map(async ({ id }, n) => (await read(people[n] as Person, id)).state));
    })
    .toEqual(["done", "done"]);
  expect(own.mostOpen()).toBe(1);
  expect(own.asked.filter(({ path }) => path.endsWith(".mp3"))).toHaveLength(4);
  expect(own.asked.every(({ agent }) => agent?.startsWith("Soundpost-Imports/1"))).toBe(true);
});

test("followers, webhooks and connections hear nothing of old episodes", async () => {
  const [ana, fan] = await Promise.all([createUser(), createUser()]);
  await api.as(fan).put(`/me/followings/${ana.id}`);
  await api.as(ana).post("/me/webhooks", {
    json: { url: "https://hooks.example.com/silent", events: ["track.finished"] },
  });
  const email = newEmail();
  const feed = serveFeed("silent", email, [{ guid: "1", url: serveAudio("silent") }]);
  const { id } = await moveIn(ana, feed, email);
  const [episode] = await waitForImport(ana, id);
  const deliveries = await sql(
    "select from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.user_id = $1",
    [ana.id],
  );
  expect(deliveries).toEqual([]);
  const { body } = await api.as(fan).get<{ collection: { origin: { id: number } }[] }>("/me/feed/tracks");
  expect(body.collection.map(({ origin }) => origin.id)).toEqual([episode?.track_id]);
});
