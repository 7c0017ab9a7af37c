import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { createComment } from "../../api/comments/comments.support.ts";
import { createReader, itemsOf } from "../../api/feed/feed.support.ts";
import { createPlaylist, named } from "../../api/playlists/playlists.ts";
import { uniqueWord } from "../../api/tracks/lists.support.ts";
import { createWebhook, deliveriesOf } from "../../api/webhooks/webhook-receiver.ts";
import { swept } from "../../encoding/sweep.support.ts";
import { api } from "../../support/api.ts";
import { createMember } from "../../support/browser.ts";
import { operate } from "../../support/operate.ts";
import { createApp, createUser, type Person, tokenOf } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { fieldsIn, threeHosts } from "../site/three-hosts.ts";
import { answer, caseOf } from "./removals.support.ts";

const service = await threeHosts();
let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = [await createUser(), await createUser()];
});

const BECAUSE = ["--reason", "It breaks the rules"];
const remove = (kind: "comment" | "set", id: number) =>
  operate<{ id: number }>(`${kind} remove`, `--${kind}`, String(id), ...BECAUSE);
const restore = (id: number) => operate("removal restore", "--removal", String(id), ...BECAUSE);

/** Names of the addresses whose answers hold the word. */
async function showing(word: string, who: Person | undefined, addresses: Record<string, string>) {
  const headers = who ? { Authorization: `OAuth ${who.token}` } : undefined;
  const found: string[] = [];
  for (const [name, address] of Object.entries(addresses)) {
    const reply = await fetch(stack.urls.api + address, { ...(headers && { headers }) });
    if (reply.status >= 500) throw new Error(`${address} answered ${reply.status}`);
    if ((await reply.text()).includes(word)) found.push(name);
  }
  return found;
}

test("a removed comment is in no list, page or webhook, its replies stay, and all is as before once restored", async () => {
  const word = uniqueWord();
  const track = await createPlayableTrack(ana, { permalink: "talked" });
  const webhook = await createWebhook(ana, "https://hooks.example.com/", ["comment.created"]);
  const said = await createComment(ben, track, { body: word, timestamp: 10 });
  const reply = await createComment(ana, track, { body: "An answer", parent_id: said.id });
  const page = `/${ana.username}/talked`;
  const places = {
    comment: `/comments/${said.id}`,
    list: `/tracks/${track.id}/comments`,
    threads: `/tracks/${track.id}/comments?threads=true`,
    activities: "/me/activities",
    author: `/users/${ben.id}/comments`,
    page,
    profile: `/${ben.username}`,
    player: `/player/?${new URLSearchParams({ url: `${stack.urls.api}/tracks/${track.id}` })}`,
    feed: `/${ana.username}/feed.xml`,
  };
  const look = async () => ({
    owner: await showing(word, ana, places),
    visitor: await showing(word, undefined, { page, player: places.player, feed: places.feed }),
    notified: (await (await service.enter(ana)).get("web", "/you/notifications")).html.includes(word),
    written: (await api.as(ben).get<{ id: number }[]>("/me/comments")).body.map(({ id }) => id),
    replies: (await api.as(ana).get<{ id: number }[]>(`/tracks/${track.id}/comments`)).body.map(
      ({ id }) => id,
    ),
    count: (await api.as(ana).get<Track>(`/tracks/${track.id}`)).body.comment_count,
    announced: (await deliveriesOf(ana, webhook)).length,
  });
  const before = await look();
  expect(before).toMatchObject({ count: 2, announced: 1, notified: true, written: [said.id] });
  expect(before.owner).toEqual(expect.arrayContaining(["comment", "list", "activities", "author", "page"]));
  const { id } = await remove("comment", said.id);
  expect(await look()).toEqual({
    owner: [],
    visitor: [],
    notified: false,
    written: [],
    replies: [reply.id],
    count: 1,
    announced: 1,
  });
  await restore(id);
  expect(await look()).toEqual(before);
});

test("the export of a removed comment's author holds it with the case; the export of the track's owner does not", async () => {
  const author = await createMember();
  const [app, word] = [await createApp(), uniqueWord()];
  const me: Person = { ...author, token: await tokenOf(app, author.username), app };
  const { id } = await createComment(me, await createPlayableTrack(ana), { body: word });
  await remove("comment", id);
  const { html } = await author.browser.submit("/settings", "/settings/export");
  expect(JSON.parse(html)).toMatchObject({
    comments: [],
    removals: [{ kind: "comment", comment_id: id, reason: BECAUSE[1], comment: { body: word } }],
  });
});

test("a comment whose author is suspended meanwhile returns unseen, and is seen and counted with the author", async () => {
  const [author, track] = [await createUser(), await createPlayableTrack(ana)];
  const { id } = await createComment(author, track);
  const { id: removal } = await remove("comment", id);
  await operate("user suspend", "--user", author.username, ...BECAUSE);
  await restore(removal);
  const seen = async () => [
    (await api.as(ana).get<unknown[]>(`/tracks/${track.id}/comments`)).body.length,
    (await api.as(ana).get<Track>(`/tracks/${track.id}`)).body.comment_count,
  ];
  expect(await seen()).toEqual([0, 0]);
  await operate("user restore", "--user", author.username);
  expect(await seen()).toEqual([1, 1]);
});

test("a removed set and podcast is in no list, search, feed, page, player or map, and all is as before once restored", async () => {
  // Search pages repeat what was asked for.
  const [asked, word] = [uniqueWord(), uniqueWord()];
  const track = await createPlayableTrack(ana, { title: "Part" });
  const made = await createPlaylist(ana, {
    title: `${asked} ${word}`,
    tag_list: asked,
    sharing: "public",
    tracks: named([track.id]),
  });
  await api.as(ana).put(`/playlists/${made.id}/podcast`, { json: { podcast: { category: "Arts" } } });
  const { body: set } = await api.as(ana).get<Playlist>(`/playlists/${made.id}`);
  const follower = await createReader(ana);
  await api.as(ben).post(`/likes/playlists/${set.id}`);
  await api.as(ben).post(`/reposts/playlists/${set.id}`);
  const { pathname: page } = new URL(set.permalink_url);
  const url = `url=${encodeURIComponent(set.permalink_url)}`;
  const secret = `secret_token=${set.secret_token}`;
  const forAll = {
    page,
    secret: `${page}/${set.secret_token}`,
    feed: `${page}/feed.xml`,
    "secret feed": `${page}/${set.secret_token}/feed.xml`,
    sets: `/${ana.username}/sets`,
    liked: `/${ben.username}/likes`,
    reposted: `/${ben.username}/reposts`,
    search: `/search?q=${asked}&type=sets`,
    tag: `/tags/${asked}`,
    oembed: `/oembed?${url}`,
    player: `/player/?${url}`,
    "player of the secret": `/player/?${new URLSearchParams({ url: `${set.uri}?${secret}` })}`,
  };
  const forClients = {
    set: `/playlists/${set.id}`,
    "by its secret": `/playlists/${set.id}?${secret}`,
    "its tracks": `/playlists/${set.id}/tracks?${secret}`,
    list: `/users/${ana.id}/playlists`,
    found: `/playlists?q=${asked}`,
    likes: `/users/${ben.id}/likes/playlists`,
    reposts: `/users/${ben.id}/reposts/playlists`,
    suggestions: `/suggestions?q=${asked}`,
    resolve: `/resolve?${url}`,
  };
  const look = async () => ({
    visitor: await showing(word, undefined, forAll),
    follower: await showing(word, follower, forClients),
    news: (await itemsOf(follower)).filter((item) => item.endsWith(` ${set.id}`)),
    mapped: await isMapped(page),
    count: (await api.as(ben).get<{ playlist_count: number }>(`/users/${ana.id}`)).body.playlist_count,
    seen: (await service.open().get("web", page)).status,
    tracks: (await api.as(ben).get<Track>(`/tracks/${track.id}`)).status,
  });
  const before = await look();
  expect(before).toMatchObject({ news: [`playlist ${set.id}`], mapped: true, seen: 200 });
  expect(before.visitor).toEqual(
    expect.arrayContaining(["page", "feed", "sets", "search", "oembed", "player"]),
  );
  expect(before.follower).toEqual(expect.arrayContaining(["set", "list", "found", "likes", "suggestions"]));
  const owned = async () => {
    const { secret_token } = (await api.as(ana).get<Playlist>(`/playlists/${set.id}`)).body;
    const { html } = await (await service.enter(ana)).get("web", page);
    return {
      secret_token,
      says: html.includes("no link opens it for others"),
      links: html.includes(`${set.secret_token}`),
    };
  };
  const { id } = await remove("set", set.id);
  expect(await look()).toEqual({
    visitor: [],
    follower: [],
    news: [],
    mapped: false,
    count: before.count - 1,
    seen: 404,
    tracks: 200,
  });
  expect(await owned()).toEqual({ secret_token: undefined, says: true, links: false });
  await restore(id);
  expect(await look()).toEqual(before);
  expect(await owned()).toMatchObject({ secret_token: set.secret_token, says: false });
});

test("a taken down track's page offers its owner no link, and the API no secret", async () => {
  const { id } = await createPlayableTrack(ana, { sharing: "private" });
  const { permalink_url, secret_token } = (await api.as(ana).get<Track>(`/tracks/${id}`)).body;
  const browser = await service.enter(ana);
  const look = async () => ({
    api: (await api.as(ana).get<Track>(`/tracks/${id}`)).body.secret_token,
    links: (await browser.get("web", new URL(permalink_url).pathname)).html.includes(String(secret_token)),
  });
  expect(await look()).toEqual({ api: secret_token, links: true });
  await operate("track take-down", "--track", String(id), ...BECAUSE);
  expect(await look()).toEqual({ api: undefined, links: false });
  await operate("track put-back", "--track", String(id));
  expect(await look()).toEqual({ api: secret_token, links: true });
});

/** Whether the sitemap names the page. */
async function isMapped(page: string): Promise<boolean> {
  const textAt = async (url: string) => (await fetch(url)).text();
  const maps = Array.from(
    (await textAt(`${stack.urls.api}/sitemap.xml`)).matchAll(/<loc>([^<]+)</g),
    ([, url = ""]) => url,
  );
  const texts = await Promise.all(maps.map(textAt));
  return texts.some((text) => text.includes(`${page}<`));
}

test("the page of a removed podcast leads its owner to the reason, and offers no feed", async () => {
  const set = await createPlaylist(ana, { title: uniqueWord(), sharing: "public" });
  await api.as(ana).put(`/playlists/${set.id}/podcast`, { json: { podcast: { category: "Arts" } } });
  const owner = await service.enter(ana);
  const shown = async () => (await owner.get("web", new URL(set.permalink_url).pathname)).html;
  expect(await shown()).toContain("Subscribe");
  await remove("set", set.id);
  expect(await shown()).toContain("This set was removed");
  expect(await shown()).not.toContain("Subscribe");
});

test("a set that its owner corrects by the site's form while it is removed is shared again once restored", async () => {
  const made = await createPlaylist(ana, { title: uniqueWord(), sharing: "public" });
  const path = `${new URL(made.permalink_url).pathname}/edit`;
  const { id } = await remove("set", made.id);
  const owner = await service.enter(ana);
  const { html } = await owner.get("web", path);
  expect(html).not.toContain("Private link");
  expect((await owner.postParts("web", path, { ...fieldsIn(html, path), genre: "Quiet" })).status).toBe(303);
  await restore(id);
  const { body } = await api.as(ben).get<Playlist>(`/playlists/${made.id}`);
  expect([body.genre, body.sharing]).toEqual(["Quiet", "public"]);
});

test("a scheduled set that is removed keeps its time, which ends without effect while it is removed", async () => {
  const publish_at = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
  const [early, late] = [
    await createPlaylist(ana, { title: "Early", publish_at }),
    await createPlaylist(ana, { title: "Late", publish_at }),
  ];
  const [first, second] = [await remove("set", early.id), await remove("set", late.id)];
  const edited = await api
    .as(ana)
    .put(`/playlists/${early.id}`, { json: { playlist: { genre: "Folk", publish_at } } });
  expect(edited.status).toBe(200);
  await sql("update playlists set publish_at = date_trunc('second', now()) where id = $1", [late.id]);
  await runCron("* * * * *");
  for (const { id } of [first, second]) await restore(id);
  const read = async ({ id }: Playlist) => {
    const { sharing, publish_at } = (await api.as(ana).get<Playlist>(`/playlists/${id}`)).body;
    return { sharing, publish_at };
  };
  expect(await read(early)).toEqual({ sharing: "private", publish_at });
  expect(await read(late)).toEqual({ sharing: "private", publish_at: null });
});

test("a set that two operators remove or restore at once has one case, and ends shared", async () => {
  const { id } = await createPlaylist(ana, { title: "Raced", sharing: "public" });
  const removed = await Promise.allSettled([remove("set", id), remove("set", id)]);
  expect(removed.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const found = await caseOf(ana.id);
  await Promise.allSettled([restore(found.id), restore(found.id)]);
  expect((await api.as(ben).get(`/playlists/${id}`)).status).toBe(200);
  const acts = await sql("select act from audit_log where target_id = $1 order by id", [id]);
  expect(acts.map(({ act }) => act)).toEqual(["playlist.remove", "playlist.restore"]);
});

test("a deleted owner's cases and answers go with them, and cannot be restored", async () => {
  const [owner, track] = [await createUser(), await createPlayableTrack(ana)];
  const { id: comment } = await createComment(owner, track);
  const cases = [
    await remove("comment", comment),
    await remove("set", (await createPlaylist(owner, { title: "Gone" })).id),
  ];
  const ids = cases.map(({ id }) => id);
  await answer(await service.enter(owner), ids[0] ?? 0);
  await operate("user delete", "--user", String(owner.id), ...BECAUSE);
  await swept(() => sql("select id from removals where id = any ($1)", [ids])).toEqual([]);
  expect(await sql("select id from counter_notices where removal_id = any ($1)", [ids])).toEqual([]);
  for (const id of ids) await expect(restore(id)).rejects.toThrow("no");
  expect((await api.as(ana).get<Track>(`/tracks/${track.id}`)).body.comment_count).toBe(0);
});
