import { beforeAll, describe, expect, test } from "vitest";
import { createPlaylist, named } from "../../api/playlists/playlists.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { parseXml } from "../../support/xml.ts";
import { child, childrenOf, feedFaults, textIn } from "./podcasts.support.ts";
import { type ThreeHostsBrowser, threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let owner: ThreeHostsBrowser;

beforeAll(async () => {
  ana = await createUser();
  owner = await service.enter(ana);
});

const FIELDS = {
  author: "Ana & Bo",
  owner_name: "Ana",
  owner_email: "ana@example.com",
  category: "Society & Culture > Documentary",
  language: "pt-BR",
  explicit: "yes",
  podcast_type: "serial",
};

async function send(path: string, fields: Record<string, string>, browser = owner) {
  const { html } = await browser.get("web", path);
  return browser.post("web", path, { form_token: tokenIn(html, path), ...fields });
}

async function feedOf(path: string) {
  const { html } = await service.open().get("web", path);
  const rss = parseXml(html);
  return { rss, channel: child(rss, "channel") };
}

describe("the podcast fields of a set", () => {
  let path: string;

  beforeAll(async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "pilot", title: "Pilot" });
    const { permalink } = await createPlaylist(ana, { title: "A show", tracks: named([id]) });
    path = `/${ana.username}/sets/${permalink}`;
  });

  test("stand in its feed, which stays valid", async () => {
    const sent = await send(`${path}/podcast`, FIELDS);
    expect([sent.status, sent.location?.pathname]).toEqual([303, `${path}/podcast`]);
    const { rss, channel } = await feedOf(`${path}/feed.xml`);
    expect(feedFaults(rss)).toEqual([]);
    expect(textIn(channel, "itunes:author")).toBe("Ana & Bo");
    expect(textIn(child(channel, "itunes:owner"), "itunes:email")).toBe("ana@example.com");
    expect(textIn(channel, "language")).toBe("pt-BR");
    expect(textIn(channel, "itunes:explicit")).toBe("true");
    expect(textIn(channel, "itunes:type")).toBe("serial");
    expect(textIn(channel, "podcast:locked")).toBe("yes");
    const category = child(channel, "itunes:category");
    expect(category.attributes.text).toBe("Society & Culture");
    expect(child(category, "itunes:category").attributes.text).toBe("Documentary");
    expect(childrenOf(channel, "item").map((item) => textIn(item, "itunes:explicit"))).toEqual(["true"]);
  });

  test("are shown again to their owner, in one statement, with the feed's address", async () => {
    const { html, queries } = await owner.get("web", `${path}/podcast`);
    expect(queries).toBe(1);
    expect(html).toContain('value="Ana &amp; Bo"');
    expect(html).toMatch(/value="Society &amp; Culture &gt; Documentary" selected/);
    expect(html).toContain(`${path}/feed.xml"`);
    // It holds es-419 and zh-Hant-TW.
    expect(html).toMatch(/name="language"[^>]* maxlength="12"/);
    expect(html).toContain(`<a href="${path}">Back to the podcast</a>`);
  });

  test.each([
    ["owner_email", "nobody", "is no e-mail address"],
    ["category", "Gossip", "is unknown"],
    ["language", "English", "is no language code"],
    ["new_feed_url", "feeds.example/ana", "is no web address"],
    ["author", "x".repeat(101), "may have 100 characters at most"],
    ["author", "A\u0000na", "contains characters that are not text"],
  ])("are shown with the problem beside %s, and nothing is saved", async (name, value, problem) => {
    const { status, html } = await send(`${path}/podcast`, { ...FIELDS, [name]: value });
    expect(status).toBe(422);
    expect(html).toContain(`id="podcast-${name}-problem"`);
    expect(html).toContain(problem);
    expect(textIn((await feedOf(`${path}/feed.xml`)).channel, "itunes:author")).toBe("Ana & Bo");
  });

  test("may name the feed's address at another host, and the lock that it needs open", async () => {
    const new_feed_url = "https://feeds.example/ü";
    expect((await send(`${path}/podcast`, { ...FIELDS, locked: "no", new_feed_url })).status).toBe(303);
    const moved = await service.open().get("web", `${path}/feed.xml`);
    expect([moved.status, moved.location?.href]).toEqual([301, encodeURI(new_feed_url)]);
    const { html } = await owner.get("web", `${path}/podcast`);
    expect(html).toContain(`value="${new_feed_url}"`);
    expect(html).toMatch(/name="locked"[^>]*>.*?<option value="no" selected/s);
    await send(`${path}/podcast`, { ...FIELDS, locked: "no", new_feed_url: "" });
    expect(textIn((await feedOf(`${path}/feed.xml`)).channel, "podcast:locked")).toBe("no");
  });

  test("are removed by the owner, and the feed stays", async () => {
    expect((await send(`${path}/podcast`, { stop: "yes" })).status).toBe(303);
    const { rss, channel } = await feedOf(`${path}/feed.xml`);
    expect([feedFaults(rss), childrenOf(channel, "itunes:owner")]).toEqual([[], []]);
  });

  test("are nobody else's to see or change", async () => {
    const stranger = await service.enter(await createUser());
    expect((await stranger.get("web", `${path}/podcast`)).status).toBe(404);
    const { html } = await owner.get("web", `${path}/podcast`);
    const form_token = tokenIn(html, `${path}/podcast`);
    expect((await stranger.post("web", `${path}/podcast`, { ...FIELDS, form_token })).status).toBe(403);
    const visitor = await service.open().get("web", `${path}/podcast`);
    expect([visitor.status, visitor.location?.pathname]).toEqual([303, "/session/new"]);
  });
});

test("a private set's page shows the owner the feed's address with its secret", async () => {
  const { permalink, secret_token } = await createPlaylist(ana, { title: "Ours", sharing: "private" });
  const path = `/${ana.username}/sets/${permalink}`;
  const { html } = await owner.get("web", `${path}/podcast`);
  expect(html).toContain(`${path}/${secret_token}/feed.xml"`);
});

test.each(["Episode", "Edit", "Podcast", "Delete", "Chapters"])(
  "a set may be called %s, like a track's page",
  async (title) => {
    const { permalink } = await createPlaylist(ana, { title });
    const { status, html } = await service.open().get("web", `/${ana.username}/sets/${permalink}`);
    expect([status, permalink]).toEqual([200, title.toLowerCase()]);
    expect(html).toContain(`<h1>${title}</h1>`);
  },
);

describe("a track as an episode", () => {
  const path = () => `/${ana.username}/pilot/episode`;
  const item = async () => {
    const { rss, channel } = await feedOf(`/${ana.username}/feed.xml`);
    expect(feedFaults(rss)).toEqual([]);
    const found = childrenOf(channel, "item").find((each) => textIn(each, "title") === "Pilot");
    if (!found) throw new Error("The feed has no such item");
    return found;
  };

  test("has a season, a number, a flag and a transcript in feeds", async () => {
    const fields = { season: "2", number: "7", explicit: "yes", transcript_url: "https://t.example/a.vtt" };
    expect((await send(path(), fields)).status).toBe(303);
    const shown = await item();
    expect([textIn(shown, "itunes:season"), textIn(shown, "itunes:episode")]).toEqual(["2", "7"]);
    expect(textIn(shown, "itunes:explicit")).toBe("true");
    expect(child(shown, "podcast:transcript").attributes).toEqual({
      url: "https://t.example/a.vtt",
      type: "text/vtt",
    });
    const { html } = await owner.get("web", path());
    expect(html).toContain('value="https://t.example/a.vtt"');
    expect(html).toContain(`<a href="${path().replace("/episode", "")}">Back to the track</a>`);
    await send(path(), { season: "", number: "", explicit: "", transcript_url: "" });
    expect(childrenOf(await item(), "podcast:transcript")).toEqual([]);
  });

  test.each([
    ["number", "x", "is no number from 1 to 9999"],
    ["transcript_url", "javascript:alert(1)", "is no web address"],
    // A feed holds 300 of them.
    ["transcript_url", `https://t.example/${"a".repeat(2_000)}`, "may have 2000 characters at most"],
  ])("is shown again with the problem beside %s", async (name, value, problem) => {
    const { status, html } = await send(path(), { explicit: "", [name]: value });
    expect(status).toBe(422);
    expect(html).toContain(problem);
  });

  test("is nobody else's to see", async () => {
    const stranger = await service.enter(await createUser());
    expect((await stranger.get("web", path())).status).toBe(404);
  });

  test("is not found if the track is deleted at the same moment", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "withdrawn" });
    const form = `/${ana.username}/withdrawn/episode`;
    const form_token = tokenIn((await owner.get("web", form)).html, form);
    const save = () => owner.post("web", form, { form_token, explicit: "yes" });
    expect((await askDuring("delete from tracks where id = $1", [id], save)).status).toBe(404);
  });
});

test("404: a form that was opened when the address led to one's own changes nothing of who has it now", async () => {
  const [first, second] = [await createUser(), await createUser()];
  for (const one of [first, second]) {
    await createPlayableTrack(one, { permalink: "talk" });
    await createPlaylist(one, { title: "Talks" });
  }
  const browser = await service.enter(first);
  const forms = {
    [`/${first.username}/sets/talks/podcast`]: FIELDS,
    [`/${first.username}/talk/episode`]: { explicit: "", season: "3" },
  };
  const tokens = new Map<string, string>();
  for (const path of Object.keys(forms))
    tokens.set(path, tokenIn((await browser.get("web", path)).html, path));
  await sql("update users set permalink = permalink || '-old' where id = $1", [first.id]);
  // A former address is its user's, so nobody else could have it.
  await sql("delete from former_addresses where user_id = $1", [first.id]);
  await sql("update users set permalink = $2 where id = $1", [second.id, first.username]);
  for (const [path, fields] of Object.entries(forms)) {
    const sent = { form_token: tokens.get(path) ?? "", ...fields };
    expect([path, (await browser.post("web", path, sent)).status]).toEqual([path, 404]);
  }
});
