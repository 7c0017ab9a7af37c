import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { createPlaylist, named } from "../../api/playlists/playlists.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { parseXml } from "../../support/xml.ts";
import { child, childrenOf, feedFaults } from "./podcasts.support.ts";
import { type ThreeHostsBrowser, threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let visitor: ThreeHostsBrowser;

beforeAll(async () => {
  ana = await createUser();
  visitor = service.open();
});

const VTT =
  "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ana>Hello <script>alert(1)</script>there.\n\n00:04.000 --> 00:09.000\n<v Bo>Bye.";

async function createShow(owner: Person, fields: Record<string, unknown> = {}, podcast: object = {}) {
  const tracks: { id: number; secret: string; permalink: string }[] = [];
  for (const n of [1, 2, 3]) {
    const permalink = `episode-${n}-${Math.random().toString(36).slice(2)}`;
    const columns = { title: `Part ${n}`, permalink, sharing: fields.sharing ?? "public" };
    const track = await createPlayableTrack(owner, {
      ...columns,
      description: `Notes of ${n}, see https://example.com/${n}`,
    });
    tracks.push({ ...track, permalink });
  }
  const set = await createPlaylist(owner, {
    title: "Talks",
    tracks: named(tracks.map(({ id }) => id)),
    ...fields,
  });
  const json = { podcast: { category: "Society & Culture > Documentary", ...podcast } };
  await api.as(owner).put(`/playlists/${set.id}/podcast`, { json });
  return { set, tracks, path: `/${owner.username}/sets/${set.permalink}` };
}

const titlesIn = (html: string) =>
  Array.from(html.matchAll(/<h3 class="row-title"><a [^>]*>([^<]*)</g), ([, title]) => title);

const dataIn = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? "");

describe("the page of a podcast", () => {
  test("lists episodes newest first, with notes, and offers the feed to podcast programs, in one statement", async () => {
    const { path } = await createShow(ana, {}, { author: "Ana & Bo", explicit: true });
    const { html, queries } = await visitor.get("web", path);
    expect(queries).toBe(1);
    expect(html).toMatch(/class="eyebrow">Podcast/);
    expect(titlesIn(html)).toEqual(["Part 3", "Part 2", "Part 1"]);
    expect(html).toContain('<a href="https://example.com/2" rel="ugc nofollow noopener" dir="ltr">');
    const feed = new URL(`${path}/feed.xml`, `http://web.localhost:${service.port}`);
    const url = encodeURIComponent(feed.href);
    for (const address of [
      `podcast://${feed.host}${feed.pathname}`,
      `pktc://subscribe/${feed.host}${feed.pathname}`,
      `overcast://x-callback-url/add?url=${url}`,
      `https://antennapod.org/deeplink/subscribe?url=${url}&amp;title=Talks`,
    ])
      expect(html).toContain(`href="${address}"`);
    expect(html).toContain(`readonly="" value="${feed.href}"`);
    expect(dataIn(html)).toMatchObject({
      "@type": "PodcastSeries",
      name: "Talks",
      author: { name: "Ana & Bo" },
      webFeed: feed.href,
      isFamilyFriendly: false,
    });
  });

  test("leads its owner to add episodes where it has none, and says so to others", async () => {
    const set = await createPlaylist(ana, { title: "Soon" });
    const path = `/${ana.username}/sets/${set.permalink}`;
    const step = `href="http://web.localhost:${service.port}${path}/edit#picker"`;
    const owner = await service.enter(ana);
    expect((await owner.get("web", path)).html).toMatch(new RegExp(`${step}>\\s*Add tracks`));
    await api.as(ana).put(`/playlists/${set.id}/podcast`, { json: { podcast: { category: "Arts" } } });
    expect((await owner.get("web", path)).html).toMatch(new RegExp(`${step}>\\s*Add episodes`));
    const { html } = await visitor.get("web", path);
    expect(html).toContain("There are no episodes yet.");
    expect(html).not.toContain(step);
  });

  test("tells a serial from its beginning, by season and number", async () => {
    const { path, tracks } = await createShow(ana, {}, { podcast_type: "serial" });
    const [one, two, three] = tracks;
    for (const [track, season, number] of [
      [one, 2, 1],
      [two, 1, 2],
      [three, 1, 1],
    ] as const)
      await api.as(ana).put(`/tracks/${track?.id}/episode`, { json: { episode: { season, number } } });
    const { html } = await visitor.get("web", path);
    expect(titlesIn(html)).toEqual(["Part 3", "Part 2", "Part 1"]);
    expect(html).toContain("Season 1 · Episode 2");
  });

  test("of a private show has its secret feed, which no web page of others learns", async () => {
    const { path, set } = await createShow(ana, { sharing: "private" });
    expect((await visitor.get("web", path)).status).toBe(404);
    const { html } = await visitor.get("web", `${path}/${set.secret_token}`);
    const host = `web.localhost:${service.port}`;
    expect(html).toContain(`podcast://${host}${path}/${set.secret_token}/feed.xml`);
    expect(html).toContain(`antennapod-subscribe://${host}${path}/${set.secret_token}/feed.xml`);
    expect(html).not.toMatch(/antennapod\.org|ld\+json/);
    expect(titlesIn(html)).toHaveLength(3);
    expect(html).toContain(`/${set.secret_token}" `);
  });

  test("is the page of a set again once it is no podcast, and lists call it what it is", async () => {
    const owner = await createUser();
    const { path, set } = await createShow(owner);
    const listed = async () => {
      const { html: list } = await visitor.get("web", `/${owner.username}/sets`);
      return />(Podcast|Set) · </.exec(list)?.[1];
    };
    const renamed = await api
      .as(owner)
      .put<Playlist>(`/playlists/${set.id}`, { json: { playlist: { genre: "Talk" } } });
    expect([renamed.body.is_podcast, await listed()]).toEqual([true, "Podcast"]);
    await api.as(owner).delete(`/playlists/${set.id}/podcast`);
    const { body } = await api.as(owner).get<Playlist>(`/playlists/${set.id}`);
    expect([body.is_podcast, await listed()]).toEqual([false, "Set"]);
    const { html } = await visitor.get("web", path);
    expect(html).not.toMatch(/podcast:\/\/|class="eyebrow">Podcast/);
  });
});

describe("the page of an episode", () => {
  test("names its show and number, and has chapters and a transcript without script, in one statement", async () => {
    const { tracks, set } = await createShow(ana);
    const [one] = tracks;
    const path = `/${ana.username}/${one?.permalink}`;
    await api.as(ana).put(`/tracks/${one?.id}/episode`, {
      json: { episode: { season: 2, number: 7, episode_type: "bonus", explicit: true } },
    });
    const ours = `http://api.localhost:${service.port}/images/${"0".repeat(32)}-large.jpg`;
    const chapters = [
      { startTime: 0, title: "<b>Start</b>", img: ours, url: "https://example.com/a" },
      { startTime: 4.5, title: "Middle", img: "https://elsewhere.example/b.jpg" },
      { startTime: 6, title: "Hidden", toc: false },
    ];
    await api.as(ana).put(`/tracks/${one?.id}/chapters`, { json: { chapters } });
    await api
      .as(ana)
      .put(`/tracks/${one?.id}/transcript`, { json: { transcript: { content: VTT, language: "en" } } });
    const { html, queries } = await visitor.get("web", path);
    expect(queries).toBe(1);
    expect(html).toMatch(new RegExp(`<p class="of-show"><a href="[^"]*/sets/${set.permalink}">Talks</a>`));
    expect(html).toContain("Season 2 · Episode 7 · Bonus");
    expect(html).toContain(`href="${path}?t=4" data-at="4500"`);
    expect(html).toContain("&lt;b&gt;Start&lt;/b&gt;");
    expect(html).toContain(`src="${ours}"`);
    expect(html).not.toMatch(/elsewhere\.example|Hidden/);
    expect(html).toContain('lang="en"');
    expect(html).toContain("Hello alert(1)there.");
    expect(html.match(/class="turn-speaker"/g)).toHaveLength(2);
    expect(dataIn(html)).toMatchObject({
      "@type": "PodcastEpisode",
      partOfSeries: { name: "Talks" },
      episodeNumber: 7,
      partOfSeason: { seasonNumber: 2 },
    });
  });

  test("shows no word of it to whoever may not play it whole", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "paid", description: "0:00 A\n0:05 B" });
    await api.as(ana).put(`/tracks/${id}/transcript`, { json: { transcript: { content: VTT } } });
    await sql("update tracks set paywall = 'preview' where id = $1", [id]);
    const { html } = await visitor.get("web", `/${ana.username}/paid`);
    expect(html).not.toMatch(/alert\(1\)|class="chapter"/);
  });

  test("holds the beginning of a long transcript, and all of it at the address of a link", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "long" });
    const at = (n: number) =>
      `00:${String(Math.floor(n / 60) % 60).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}`;
    const cues = Array.from(
      { length: 2_000 },
      (_, n) => `${at(n)}.000 --> ${at(n)}.900\n<v ${n >> 6}>Words ${n}`,
    );
    const content = `WEBVTT\n\n${cues.join("\n\n")}`;
    const path = `/${ana.username}/long`;
    const put = await api.as(ana).put(`/tracks/${id}/transcript`, { json: { transcript: { content } } });
    expect(put.status).toBe(200);
    const { html } = await visitor.get("web", `${path}?t=3`);
    const words = (page: string) => page.match(/class="cue"/g)?.length;
    // Whole turns of 64.
    expect(words(html)).toBe(256);
    expect(html).toContain(`href="${path}?transcript=whole#transcript" data-from="256000"`);
    const whole = await visitor.get("web", `${path}?transcript=whole`);
    expect(words(whole.html)).toBe(2_000);
    expect(whole.html).not.toContain("transcript-whole");
  });

  test("loads nothing for them where a track has none", async () => {
    await createPlayableTrack(ana, { permalink: "plain" });
    const { html } = await visitor.get("web", `/${ana.username}/plain`);
    expect(html).not.toContain("podcast.c");
  });
});

test("a feed names its episodes' transcripts in every format, and their chapters, and stays valid", async () => {
  const { path, tracks } = await createShow(ana);
  const id = tracks[2]?.id;
  const feed = async () => {
    const { html, headers } = await visitor.get("web", `${path}/feed.xml`);
    return { rss: parseXml(html), tag: headers.etag };
  };
  const before = await feed();
  await api
    .as(ana)
    .put(`/tracks/${id}/transcript`, { json: { transcript: { content: VTT, language: "en" } } });
  await api.as(ana).put(`/tracks/${id}/chapters`, { json: { chapters: [{ startTime: 1, title: "One" }] } });
  const { rss, tag } = await feed();
  expect(tag).not.toBe(before.tag);
  expect(feedFaults(rss)).toEqual([]);
  const [item] = childrenOf(child(rss, "channel"), "item");
  const named = item ? childrenOf(item, "podcast:transcript").map(({ attributes }) => attributes) : [];
  const page = `/${ana.username}/${tracks[2]?.permalink}`;
  expect(named.map(({ url = "", type, language }) => [new URL(url).pathname, type, language])).toEqual([
    [`${page}/transcript.vtt`, "text/vtt", "en"],
    [`${page}/transcript.srt`, "application/x-subrip", "en"],
    [`${page}/transcript.json`, "application/json", "en"],
  ]);
  expect(item && child(item, "podcast:chapters").attributes.url).toMatch(`${page}/chapters.json`);
});
