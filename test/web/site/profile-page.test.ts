import { beforeAll, describe, expect, test } from "vitest";
import { isReserved } from "../../../functions/lib/text/reserved.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let fan: Person;

beforeAll(async () => {
  [ana, fan] = await Promise.all([createUser(), createUser()]);
});

const seenBy = async (path: string, person?: Person) => {
  const browser = person ? await service.enter(person) : service.open();
  return browser.get("web", path);
};

/** Titles of the page's rows and cards, in order. */
const rowsOf = (html: string): string[] =>
  Array.from(html.matchAll(/class="(?:row|tile)-title"><a [^>]*>([^<]*)</g), ([, title = ""]) => title);

/** Titles on all pages of a list. */
async function allRows(start: string): Promise<string[]> {
  const found: string[] = [];
  for (let path: string | undefined = start, pages = 0; path && pages < 9; pages++) {
    const { html } = await seenBy(path);
    found.push(...rowsOf(html));
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
  }
  return found;
}

async function createSet(owner: Person, title: string, tracks: { id: number }[] = [], sharing = "public") {
  const playlist = { title, sharing, tracks: tracks.map(({ id }) => ({ id })) };
  const { body } = await api
    .as(owner)
    .post<{ id: number; permalink_url: string; secret_token: string }>("/playlists", { json: { playlist } });
  return { ...body, path: new URL(body.permalink_url).pathname };
}

describe("a profile", () => {
  test("lists every track, newest first, each once, page by page", async () => {
    const owner = await createUser();
    for (let at = 0; at < 65; at++) await createPlayableTrack(owner, { title: `Song ${at}` });
    const expected = Array.from({ length: 65 }, (_, at) => `Song ${64 - at}`);
    expect(await allRows(`/${owner.username}`)).toEqual(expected);
  });

  test("has a button to play the track below one that cannot be played yet", async () => {
    const owner = await createUser();
    const ready = await createPlayableTrack(owner, { title: "Ready" });
    await createTrack(owner, { title: "Still encoding" });
    const { html } = await seenBy(`/${owner.username}`);
    expect(rowsOf(html)).toEqual(["Still encoding", "Ready"]);
    expect(html).toContain(`data-play="${ready.id}"`);
    expect(html).toContain("Being encoded");
  });

  test("shows tracks, sets, likes and reposts of others only as far as they are public", async () => {
    const [owner, other] = [await createUser(), await createUser()];
    const open = await createPlayableTrack(other, { title: "Open song" });
    const hidden = await createPlayableTrack(other, { title: "Hidden song" });
    const set = await createSet(other, "Open set", [open]);
    for (const { id } of [open, hidden]) {
      await api.as(owner).post(`/likes/tracks/${id}`);
      await api.as(owner).post(`/reposts/tracks/${id}`);
    }
    await api.as(owner).post(`/likes/playlists/${set.id}`);
    await api.as(owner).post(`/reposts/playlists/${set.id}`);
    await sql("update tracks set sharing = 'private' where id = $1", [hidden.id]);
    for (const tab of ["likes", "reposts"])
      expect(await allRows(`/${owner.username}/${tab}`)).toEqual(["Open set", "Open song"]);
    await createSet(owner, "Own secret", [], "private");
    await createSet(owner, "Own set");
    expect(await allRows(`/${owner.username}/sets`)).toEqual(["Own set"]);
    const own = await seenBy(`/${owner.username}/sets`, owner);
    expect(rowsOf(own.html)).toEqual(["Own set", "Own secret"]);
  });

  test("lists followers and whom the user follows, and each can be followed from there", async () => {
    await api.as(fan).put(`/me/followings/${ana.id}`);
    expect(await allRows(`/${ana.username}/followers`)).toEqual([fan.username]);
    expect(await allRows(`/${fan.username}/following`)).toEqual([ana.username]);
    const browser = await service.enter(ana);
    const path = `/${ana.username}/followers`;
    const reply = await browser.submit(path, `/you/acts/follow/${fan.id}`);
    expect([reply.status, reply.location?.pathname]).toEqual([303, path]);
    expect((await browser.get("web", path)).html).toContain(`/you/acts/unfollow/${fan.id}`);
    await sql("update users set disabled_at = now() where id = $1", [fan.id]);
    expect(await allRows(path)).toEqual([]);
    await sql("update users set disabled_at = null where id = $1", [fan.id]);
  });

  test("shows description, place and pages elsewhere as text", async () => {
    const owner = await createUser();
    const text = "<b>Hello</b>\nthere";
    await sql("update users set description = $2, city = 'Lyon', country = 'France' where id = $1", [
      owner.id,
      text,
    ]);
    const web_profiles = [{ url: "https://example.com/me", title: "My <site>" }];
    await api.as(owner).put("/me/web-profiles", { json: { web_profiles } });
    const { html } = await seenBy(`/${owner.username}`);
    expect(html).toContain("&lt;b&gt;Hello&lt;/b&gt;\nthere");
    expect(html).toContain('<meta name="description" content="&lt;b&gt;Hello&lt;/b&gt;\nthere"');
    expect(html).toContain('"description":"\\u003cb>Hello\\u003c/b>\\nthere"');
    expect(html).toContain("Lyon, France");
    expect(html).toMatch(/href="https:\/\/example\.com\/me"[^>]*>My &lt;site&gt;</);
  });

  test("is gone with its user, and moves with the user's name", async () => {
    const owner = await createUser();
    await createPlayableTrack(owner, { title: "Kept song", permalink: "kept-song" });
    await sql("update users set permalink = permalink || 'x', username = username || 'x' where id = $1", [
      owner.id,
    ]);
    expect((await seenBy(`/${owner.username}`)).status).toBe(301);
    expect(rowsOf((await seenBy(`/${owner.username}x`)).html)).toEqual(["Kept song"]);
    await sql("update users set disabled_at = now() where id = $1", [owner.id]);
    for (const name of [owner.username, `${owner.username}x`])
      for (const path of ["", "/sets", "/kept-song"])
        expect((await seenBy(`/${name}${path}`)).status).toBe(404);
  });
});

test("no track takes the address of a tab", async () => {
  for (const tab of ["sets", "reposts", "likes", "followers", "following"]) {
    expect(isReserved(tab)).toBe(true);
    expect((await seenBy(`/${ana.username}/${tab}`)).status).toBe(200);
    const { body } = await api
      .as(ana)
      .post<{ permalink: string }>("/playlists", { json: { playlist: { title: tab } } });
    expect((await seenBy(`/${ana.username}/sets/${body.permalink}`)).status).toBe(200);
  }
});

describe("a set", () => {
  test("lists all its tracks in order, page by page, with a button to play each", async () => {
    const owner = await createUser();
    const tracks = [];
    for (let at = 0; at < 55; at++) tracks.push(await createPlayableTrack(owner, { title: `Part ${at}` }));
    const { path } = await createSet(owner, "Long", tracks);
    expect(await allRows(path)).toEqual(tracks.map((_, at) => `Part ${at}`));
    expect((await seenBy(path)).html).toContain(`data-play="${tracks[0]?.id}"`);
  });

  test("is liked and reposted; owners find the way to edit", async () => {
    const { id, path } = await createSet(ana, "Liked set");
    const browser = await service.enter(fan);
    for (const act of ["like", "repost"])
      expect((await browser.submit(path, `/you/acts/${act}-playlist/${id}`)).status).toBe(303);
    const { html } = await browser.get("web", path);
    expect(html).toContain(`/you/acts/unlike-playlist/${id}`);
    expect(html).toContain(`/you/acts/unrepost-playlist/${id}`);
    expect(html).not.toContain(`${path}/edit`);
    expect((await seenBy(path, ana)).html).toContain(`${path}/edit`);
  });

  test("opens the owner's private tracks to holders of its private link", async () => {
    const track = await createPlayableTrack(ana, {
      title: "Inside",
      permalink: "inside",
      sharing: "private",
    });
    const set = await createSet(ana, "Hidden set", [track], "private");
    expect((await seenBy(set.path)).status).toBe(404);
    const opened = await seenBy(`${set.path}/${set.secret_token}`);
    expect(rowsOf(opened.html)).toEqual(["Inside"]);
    const inside = `/${ana.username}/inside/${set.secret_token}`;
    expect(opened.html).toContain(inside);
    expect((await seenBy(inside)).status).toBe(200);
    const browser = await service.enter(fan);
    const opens = `${set.path}/${set.secret_token}`;
    const liked = await browser.submit(opens, `/you/acts/like-track/${track.id}`);
    expect([liked.status, liked.location?.pathname]).toEqual([303, opens]);
  });
});

describe("what owners enter about a release", () => {
  const label = () => `href="http://web.localhost:${service.port}/${fan.username}">Tape &amp; Co<`;
  const fields = { label_name: "Tape & Co", release: "T-7", purchase_url: "https://shop.example/7" };

  test("stands on a set's page, the shop's link too", async () => {
    const { id, path } = await createSet(ana, "Sold set");
    const playlist = { ...fields, label_id: fan.id, genre: "Dub", release_year: 2021, ean: "4006381333931" };
    await api.as(ana).put(`/playlists/${id}`, { json: { playlist } });
    const { html } = await seenBy(path);
    for (const shown of [label(), ">T-7<", "/discover?genre=Dub", ">2021<", ">4006381333931<"])
      expect(html).toContain(shown);
    expect(html).toMatch(/href="https:\/\/shop\.example\/7"[^>]*>Buy</);
    const bare = await seenBy((await createSet(ana, "Bare set")).path);
    expect(Array.from(bare.html.matchAll(/<dt>([^<]*)/g), ([, name]) => name)).toEqual(["Licence"]);
  });

  test("stands on a track's page, the video too", async () => {
    const { id } = await createPlayableTrack(ana, { permalink: "sold" });
    const track = { ...fields, label_id: fan.id, video_url: "https://video.example/7" };
    await api.as(ana).put(`/tracks/${id}`, { json: { track } });
    const { html } = await seenBy(`/${ana.username}/sold`);
    for (const shown of [label(), ">T-7<", 'href="https://video.example/7"']) expect(html).toContain(shown);
  });
});

test("a profile and a set pass on their feeds, a private set with its link alone", async () => {
  const open = await createSet(ana, "Shared set");
  const hidden = await createSet(ana, "Hushed set", [], "private");
  const feedAt = async (path: string, person?: Person) =>
    /podcast programs<input [^>]*value="http:\/\/[^/]+([^"]+)"/.exec((await seenBy(path, person)).html)?.[1];
  const link = `${hidden.path}/${hidden.secret_token}`;
  expect(await feedAt(`/${ana.username}`)).toBe(`/${ana.username}/feed.xml`);
  expect(await feedAt(open.path)).toBe(`${open.path}/feed.xml`);
  expect([await feedAt(link), await feedAt(hidden.path, ana)]).toEqual([
    `${link}/feed.xml`,
    `${link}/feed.xml`,
  ]);
});

test("a slash at the end of a page's address is forgiven, and leads to no other host", async () => {
  const from = async (path: string) => (await service.open().get("web", path)).location?.href;
  const own = `http://web.localhost:${service.port}`;
  expect(await from(`/${ana.username}/?tab=x`)).toBe(`${own}/${ana.username}?tab=x`);
  expect(await from("/%5Cevil.example/")).toBe(`${own}/%5Cevil.example`);
  expect(await from("//evil.example/")).toBeUndefined();
  const asked = async (host: string, path: string, Accept: string, method = "GET") => {
    const reply = await service.ask(host, path, { method, headers: { Accept } });
    return [reply.status, reply.headers.get("Location")];
  };
  for (const accept of ["*/*", "application/json", "text/plain", "text/html,*/*;q=0.1"]) {
    expect(await asked("web", `/${ana.username}/?tab=x`, accept)).toEqual([302, `/${ana.username}?tab=x`]);
    expect(await asked("auth", "/settings/", accept)).toEqual([302, "/settings"]);
  }
  expect(await asked("web", `/${ana.username}/`, "*/*", "HEAD")).toEqual([302, `/${ana.username}`]);
  expect(await asked("web", `/${ana.username}.`, "*/*")).toEqual([404, null]);
});

test("punctuation at the end of a copied address is forgiven, and so are capital letters", async () => {
  const { path, secret_token } = await createSet(ana, "Copied", [], "private");
  const { path: name } = await createSet(ana, "Spelt");
  const from = async (path: string) => {
    const { status, location } = await service.open().get("web", encodeURI(path));
    return [status, location && location.pathname + location.search];
  };
  for (const end of [".", ",", "),", "...", "\u201d.", "。", "/."]) {
    expect([end, ...(await from(`${name}${end}`))]).toEqual([end, 302, name]);
    expect(await from(`/discover${end}?by=plays`)).toEqual([302, "/discover?by=plays"]);
  }
  expect(await from(`${path}/${secret_token}.`)).toEqual([302, `${path}/${secret_token}`]);
  expect(await from(`/${ana.username.toUpperCase()}`)).toEqual([200, undefined]);
  expect(await from(name.toUpperCase().replace("/SETS/", "/sets/"))).toEqual([200, undefined]);
  expect((await from("//evil.example."))[1]).toBeUndefined();
  expect((await from("/..."))[1]).toBeUndefined();
  // No sentence ends with so many, and searching for their beginning would take long.
  expect(await from(`${name}${".".repeat(9)}`)).toEqual([404, undefined]);
});

test("each page is one statement", async () => {
  const { path } = await createSet(ana, "Counted");
  await createPlayableTrack(ana, { permalink: "counted" });
  const browser = await service.enter(fan);
  for (const each of [path, `/${ana.username}`, `/${ana.username}/likes`, `/${ana.username}/counted`])
    expect([each, (await browser.get("web", each)).queries]).toEqual([each, 1]);
});
