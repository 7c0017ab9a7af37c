import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { get } from "../../api/media/media-files.ts";
import { createPlaylist, named } from "../../api/playlists/playlists.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sharedThreeHosts, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { parseXml } from "../../support/xml.ts";
import { child, childrenOf, feedFaults, textIn } from "./podcasts.support.ts";
import { fetchAt } from "./three-hosts.ts";

const at = (path: string) => stack.urls.api + path;

async function channelOf(path: string, headers: Record<string, string> = {}) {
  const reply = await get(at(path), headers);
  const rss = parseXml(reply.bytes.toString());
  const channel = child(rss, "channel");
  return { ...reply, rss, channel, items: childrenOf(channel, "item") };
}

let ana: Person;
let pathOf: string;

beforeAll(async () => {
  ana = await createUser();
  pathOf = `/${ana.username}/feed.xml`;
  await createPlayableTrack(ana, { title: "One", permalink: "one" });
  await createPlayableTrack(ana, {
    title: `<b>&amp; "two" \u{1F3A7}`,
    permalink: "two",
    description: "<p>0:00 Begin &amp; go</p><p>0:05 Middle</p>]]>",
  });
  await createPlayableTrack(ana, { title: "Diary", permalink: "diary", sharing: "private" });
  await createPlayableTrack(ana, { title: "Closed", permalink: "closed", streamable: false });
  await createPlayableTrack(ana, { title: "Paid", permalink: "paid", paywall: "preview" });
});

describe("a user's feed", () => {
  test("is valid by the rules of RSS and of the big directories", async () => {
    const { status, rss } = await channelOf(pathOf);
    expect(status).toBe(200);
    expect(feedFaults(rss)).toEqual([]);
  });

  test("has a type that every browser shows and none downloads", async () => {
    const { headers } = await channelOf(pathOf);
    expect(headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
  });

  test("has a picture as large as directories ask for, whoever has none of their own included", async () => {
    const { channel } = await channelOf(pathOf);
    const { bytes } = await get(child(channel, "itunes:image").attributes.href ?? "");
    const { format, width, height } = await sharp(bytes).metadata();
    expect([format, width, height]).toEqual(["png", 1_400, 1_400]);
  });

  test("lists what a visitor may play whole, newest first", async () => {
    const { items } = await channelOf(pathOf);
    expect(items.map((item) => textIn(item, "title"))).toEqual([`<b>&amp; "two" \u{1F3A7}`, "One"]);
  });

  test("names each track by its URN, and its audio with its true length", async () => {
    const { items } = await channelOf(pathOf);
    const [, one] = items;
    const { url = "", length } = one ? child(one, "enclosure").attributes : {};
    expect(url).toBe(at(`/${ana.username}/one/one.mp3`));
    expect(length).toBe("2500");
    expect(one && textIn(one, "guid")).toMatch(/^soundcloud:tracks:\d+$/);
    expect(one && textIn(one, "itunes:duration")).toBe("10");
  });

  test("leads to chapters where a description has times, and to none elsewhere", async () => {
    const { items } = await channelOf(pathOf);
    const [two, one] = items.map((item) => childrenOf(item, "podcast:chapters"));
    expect(one).toEqual([]);
    const { url = "", type } = two?.[0]?.attributes ?? {};
    expect(type).toBe("application/json+chapters");
    const chapters = await get(url);
    expect(chapters.headers.get("Content-Type")).toBe("application/json+chapters");
    expect(JSON.parse(chapters.bytes.toString())).toEqual({
      version: "1.2.0",
      chapters: [
        { startTime: 0, title: "Begin & go" },
        { startTime: 5, title: "Middle" },
      ],
    });
    expect((await get(at(`/${ana.username}/one/chapters.json`))).status).toBe(404);
  });

  test("may hold any text: what XML cannot hold is dropped", async () => {
    const odd = await createUser();
    const title = `a\u{1}b\u{FFFE}c]]>d<e>&amp;\u{1F3A7}`;
    await createPlayableTrack(odd, { title, description: `${title}\n`.repeat(900) });
    const { items, rss } = await channelOf(`/${odd.username}/feed.xml`);
    expect(items.map((item) => textIn(item, "title"))).toEqual(["abc]]>d<e>&amp;\u{1F3A7}"]);
    expect(feedFaults(rss)).toEqual([]);
  });

  test("holds descriptions of 4,000 bytes at most, in whole characters", async () => {
    const wordy = await createUser();
    await sql("update users set description = $2 where id = $1", [wordy.id, `ab${"音".repeat(1_500)}`]);
    await createPlayableTrack(wordy, { description: `a${"\u{1F3A7}".repeat(1_500)}` });
    const { channel, items, rss } = await channelOf(`/${wordy.username}/feed.xml`);
    expect(feedFaults(rss)).toEqual([]);
    expect(textIn(channel, "description")).toBe(`ab${"音".repeat(1_332)}`);
    expect(items.map((item) => textIn(item, "description"))).toEqual([`a${"\u{1F3A7}".repeat(999)}`]);
  });

  test("of an unknown or departed user is 404", async () => {
    const gone = await createUser();
    await sql("update users set disabled_at = now() where id = $1", [gone.id]);
    expect((await get(at(`/${gone.username}/feed.xml`))).status).toBe(404);
    expect((await get(at("/nobody-at-all/feed.xml"))).status).toBe(404);
  });

  test("of a user without tracks is valid and empty", async () => {
    const { rss, items } = await channelOf(`/${(await createUser()).username}/feed.xml`);
    expect([feedFaults(rss), items]).toEqual([[], []]);
  });
});

describe("a reader that holds the feed", () => {
  test("gets 304 by the tag, in one statement, until something changes", async () => {
    const bo = await createUser();
    const { id } = await createPlayableTrack(bo, { title: "Before" });
    const path = `/${bo.username}/feed.xml`;
    const first = await get(at(path));
    const tag = first.headers.get("ETag") ?? "";
    const again = await get(at(path), { "If-None-Match": tag });
    expect([again.status, again.bytes.length, again.headers.get("ETag")]).toEqual([304, 0, tag]);
    for (const { headers } of [first, again]) expect(headers.get("Server-Timing")).toContain("queries: 1");
    expect((await get(at(path), { "If-None-Match": `"x", ${tag}` })).status).toBe(304);
    expect((await get(at(path), { "If-None-Match": "*" })).status).toBe(304);
    await api.as(bo).put(`/tracks/${id}`, { json: { track: { title: "After" } } });
    const changed = await get(at(path), { "If-None-Match": tag });
    expect([changed.status, changed.headers.get("ETag") === tag]).toEqual([200, false]);
  });

  test("gets the feed without an episode that was deleted, whatever its tag or date", async () => {
    const bo = await createUser();
    const { id } = await createPlayableTrack(bo);
    const path = `/${bo.username}/feed.xml`;
    const tag = (await get(at(path))).headers.get("ETag") ?? "";
    await api.as(bo).delete(`/tracks/${id}`);
    const soon = new Date(Date.now() + 60_000).toUTCString();
    const copies: Record<string, string>[] = [{ "If-None-Match": tag }, { "If-Modified-Since": soon }];
    for (const copy of copies) {
      const { status, bytes } = await get(at(path), copy);
      expect([status, bytes.toString().includes("<item>")]).toEqual([200, false]);
    }
  });

  test("gets it anew from a service that writes other addresses into it", async () => {
    const bo = await createUser();
    await createPlayableTrack(bo);
    const path = `/${bo.username}/feed.xml`;
    const tag = (await get(at(path))).headers.get("ETag") ?? "";
    const elsewhere = async (tag: string) =>
      fetchAt((await sharedThreeHosts()).port, "web", path, { headers: { "If-None-Match": tag } });
    const moved = await elsewhere(tag);
    expect([moved.status, moved.headers.get("ETag") === tag]).toEqual([200, false]);
    expect((await elsewhere(moved.headers.get("ETag") ?? "")).status).toBe(304);
  });

  test("is not bothered by plays, likes and comments", async () => {
    const bo = await createUser();
    const { id } = await createPlayableTrack(bo);
    const path = `/${bo.username}/feed.xml`;
    const tag = (await get(at(path))).headers.get("ETag") ?? "";
    await api.as(ana).post(`/likes/tracks/${id}`);
    await api.as(ana).post(`/tracks/${id}/comments`, { json: { comment: { body: "Nice" } } });
    expect((await get(at(path), { "If-None-Match": tag })).status).toBe(304);
  });
});

describe("the date of a feed", () => {
  const dateOf = async (path: string) => textIn((await channelOf(path)).channel, "lastBuildDate");
  const age = (id: number, interval: string) =>
    sql("update tracks set updated_at = now() - $2::interval where id = $1", [id, interval]);

  test("tells nobody when a private track changed, but everybody when a listed one was hidden", async () => {
    const bo = await createUser();
    const [shown, hidden, once] = [
      await createPlayableTrack(bo),
      await createPlayableTrack(bo, { sharing: "private" }),
      await createPlayableTrack(bo),
    ];
    const set = await createPlaylist(bo, { tracks: named([shown.id, hidden.id, once.id]) });
    await sql("update users set updated_at = now() - interval '9 days' where id = $1", [bo.id]);
    await sql("update playlists set updated_at = now() - interval '9 days' where id = $1", [set.id]);
    for (const { id } of [shown, once]) await age(id, "8 days");
    const paths = [`/${bo.username}/feed.xml`, `/${bo.username}/sets/${set.permalink}/feed.xml`];
    const before = await Promise.all(paths.map(dateOf));
    await age(hidden.id, "1 day");
    expect(await Promise.all(paths.map(dateOf))).toEqual(before);
    const opened = `${paths[1]?.replace("/feed.xml", "")}/${set.secret_token}/feed.xml`;
    expect(await dateOf(opened)).not.toBe(before[1]);
    await api.as(bo).put(`/tracks/${once.id}`, { json: { track: { sharing: "private" } } });
    for (const [at, path] of paths.entries()) expect(await dateOf(path)).not.toBe(before[at]);
  });

  test("rises with an episode's fields, and does not fall when a set is no podcast any more", async () => {
    const bo = await createUser();
    const { id } = await createPlayableTrack(bo);
    const set = await createPlaylist(bo, { title: "Over" });
    const [path, setPath] = [`/${bo.username}/feed.xml`, `/${bo.username}/sets/${set.permalink}/feed.xml`];
    const podcast = `/playlists/${set.id}/podcast`;
    await api.as(bo).put(podcast, { json: { podcast: { category: "Arts" } } });
    await sql("update users set updated_at = now() - interval '9 days' where id = $1", [bo.id]);
    await sql("update playlists set updated_at = now() - interval '9 days' where id = $1", [set.id]);
    await age(id, "8 days");
    const [before, setBefore] = [await dateOf(path), await dateOf(setPath)];
    await api.as(bo).put(`/tracks/${id}/episode`, { json: { episode: { season: 2 } } });
    expect(await dateOf(path)).not.toBe(before);
    await api.as(bo).delete(podcast);
    expect(Date.parse((await dateOf(setPath)) ?? "")).toBeGreaterThanOrEqual(Date.parse(setBefore ?? ""));
  });
});

describe("a set's feed", () => {
  test("is valid, and leads back to the set", async () => {
    const { id } = await createPlayableTrack(ana);
    const set = await createPlaylist(ana, { title: "A show", tracks: named([id]) });
    const { rss, channel, items } = await channelOf(`/${ana.username}/sets/${set.permalink}/feed.xml`);
    expect(feedFaults(rss)).toEqual([]);
    expect([textIn(channel, "title"), textIn(channel, "link"), items.length]).toEqual([
      "A show",
      set.permalink_url,
      1,
    ]);
  });

  test("lists what a visitor may play whole and to the end", async () => {
    const ids: number[] = [];
    for (const fields of [{ streamable: false }, { paywall: "preview" }, {}, { title: "Whole" }])
      ids.push((await createPlayableTrack(ana, fields)).id);
    await sql("update tracks set state = 'processing' where id = $1", [ids[2]]);
    const set = await createPlaylist(ana, { tracks: named(ids) });
    const { items } = await channelOf(`/${ana.username}/sets/${set.permalink}/feed.xml`);
    expect(items.map((item) => textIn(item, "title"))).toEqual(["Whole"]);
  });

  test("is private with a private set: the secret opens it and its audio, in the path or the query", async () => {
    const track = await createPlayableTrack(ana, { sharing: "private" });
    const set = await createPlaylist(ana, { sharing: "private", tracks: named([track.id]) });
    const path = `/${ana.username}/sets/${set.permalink}`;
    const secret = set.secret_token ?? "";
    expect((await get(at(`${path}/feed.xml`))).status).toBe(404);
    expect((await get(at(`${path}/s-wrong/feed.xml`))).status).toBe(404);
    const found = await channelOf(`${path}/${secret}/feed.xml`);
    expect(feedFaults(found.rss)).toEqual([]);
    expect(textIn(found.channel, "itunes:block")).toBe("Yes");
    expect(found.headers.get("Cache-Control")).toBe("private, no-cache");
    for (const link of [found.channel, child(found.channel, "image")].map(
      (each) => textIn(each, "link") ?? "",
    ))
      expect([link, (await get(link)).status]).toEqual([at(`${path}/${secret}`), 200]);
    const [item] = found.items;
    const url = (item && child(item, "enclosure").attributes.url) ?? "";
    expect(url).toMatch(new RegExp(`/${secret}/[\\w-]+\\.mp3$`));
    expect((await get(url, {}, "HEAD")).status).toBe(200);
    expect((await get(url.replace(`/${secret}`, ""), {}, "HEAD")).status).toBe(404);
    expect((await channelOf(`${path}/feed.xml?secret_token=${secret}`)).items.length).toBe(1);
  });

  test("keeps its podcast's GUID when it becomes private", async () => {
    const set = await createPlaylist(ana, { title: "Kept" });
    const path = `/${ana.username}/sets/${set.permalink}`;
    const guid = textIn((await channelOf(`${path}/feed.xml`)).channel, "podcast:guid");
    await api.as(ana).put(`/playlists/${set.id}`, { json: { playlist: { sharing: "private" } } });
    const hidden = await channelOf(`${path}/${set.secret_token}/feed.xml`);
    expect(textIn(hidden.channel, "podcast:guid")).toBe(guid);
  });
});
