import { beforeAll, describe, expect, test } from "vitest";
import { uniqueWord } from "../../api/tracks/lists.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { listed, tiles } from "./discovery.support.ts";
import { threeHosts } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let fan: Person;
const genre = `g${crypto.randomUUID().slice(0, 8)}`;

beforeAll(async () => {
  [ana, fan] = await Promise.all([createUser(), createUser()]);
  const played = await createPlayableTrack(ana, {
    title: "Old hit",
    genre,
    bpm: 90,
    tag_list: `"late night" ${genre}`,
  });
  await createPlayableTrack(ana, { title: "Newest <b>", genre, bpm: 140 });
  await createPlayableTrack(ana, { title: "Hidden draft", genre, sharing: "private" });
  await sql("update tracks set playback_count = 1000000 where id = $1", [played.id]);
});

/** Signed in until now; the session has ended since. */
async function endedSession(person: Person) {
  const browser = await service.enter(person);
  await sql("update sessions set revoked_at = now() where user_id = $1", [person.id]);
  return browser;
}

describe("the home page", () => {
  test("shows visitors what is new and popular with one statement, and how to sign up", async () => {
    const look = async () => {
      await createPlayableTrack(ana, { title: "Just out <b>" });
      return service.open().get("web", "/");
    };
    // Other files' tracks soon push any off the list.
    await expect.poll(async () => listed((await look()).html, "New tracks")).toContain("Just out &lt;b&gt;");
    const { status, html, queries } = await look();
    expect([status, queries]).toEqual([200, 1]);
    expect(listed(html, "Popular tracks")[0]).toBe("Old hit");
    expect(html).toContain("/session/new?sign_up=true");
    expect(html).not.toMatch(/Hidden draft|npm /);
  });

  test("tells somebody who follows nobody how to fill the feed", async () => {
    const { html, queries } = await (await service.enter(await createUser())).get("web", "/");
    expect(queries).toBe(1);
    expect(html).toContain("everybody you follow");
    expect(html).toContain('href="/search?type=people"');
  });

  test("lists what followed people posted and reposted, and names who reposted it", async () => {
    const [poster, friend] = await Promise.all([createUser(), createUser()]);
    const track = await createPlayableTrack(poster, { title: "Passed on" });
    await api.as(fan).put(`/me/followings/${friend.id}`);
    await api.as(friend).post(`/reposts/tracks/${track.id}`);
    const { html, queries } = await (await service.enter(fan)).get("web", "/");
    expect(queries).toBe(1);
    expect(listed(html, "Posts and reposts")).toEqual(["Passed on"]);
    expect(html).toMatch(new RegExp(`${friend.username}</a> reposted`));
  });

  test("is the visitors' page once the session has ended", async () => {
    const browser = await endedSession(await createUser());
    const { status, html } = await browser.get("web", "/");
    expect([status, html.includes("Create an account")]).toEqual([200, true]);
    expect(browser.jars.web.size).toBe(0);
  });
});

describe("Discover", () => {
  test.for([
    ["", "New tracks"],
    ["&show=newest", "New tracks"],
    ["&show=popular", "Trending tracks"],
  ])("lists one genre with one statement: %s", async ([query, label]) => {
    const { status, html, queries } = await service.open().get("web", `/discover?genre=${genre}${query}`);
    expect([status, queries]).toEqual([200, 1]);
    const titles = listed(html, label as string);
    expect(titles).toEqual(query === "&show=popular" ? ["Old hit"] : ["Newest &lt;b&gt;", "Old hit"]);
  });

  test("shows new tracks by two of one uploader at most, and what was liked lately before what was played more", async () => {
    const [busy, other, word] = [await createUser(), await createUser(), uniqueWord()];
    const track = (owner: Person, title: string) => createPlayableTrack(owner, { title, genre: word });
    const old = await track(other, "Quiet");
    await sql("update tracks set playback_count = 90 where id = $1", [old.id]);
    const liked = await track(busy, "One");
    for (const title of ["Two", "Three"]) await track(busy, title);
    await api.as(fan).post(`/likes/tracks/${liked.id}`);
    const { html } = await service.open().get("web", `/discover?genre=${word}`);
    expect(listed(html, "New tracks")).toEqual(["Three", "Two", "Quiet"]);
    expect(listed(html, "Trending tracks")).toEqual(["One", "Quiet"]);
  });

  test("shows sets, people whom the reader does not follow, and tags, with one statement", async () => {
    const [owner, followed, reader, word] = [
      await createUser(),
      await createUser(),
      await createUser(),
      uniqueWord(),
    ];
    const track = await createPlayableTrack(owner, { tag_list: word });
    await createPlayableTrack(followed, {});
    const playlist = { title: `Set ${word}`, sharing: "public", tracks: [{ id: track.id }] };
    const { body } = await api.as(owner).post<{ id: number }>("/playlists", { json: { playlist } });
    // Others' likes and followers are many.
    await sql("update playlists set favoritings_count = 1000000 where id = $1", [body.id]);
    await sql("update users set followers_count = 1000000 where id = any ($1)", [[owner.id, followed.id]]);
    await api.as(reader).put(`/me/followings/${followed.id}`);
    const { html, queries } = await (await service.enter(reader)).get("web", "/discover");
    expect(queries).toBe(1);
    expect(tiles(html, "Sets")[0]).toBe(`Set ${word}`);
    const people = tiles(html, "People to follow");
    expect([people.includes(owner.username), people.includes(followed.username)]).toEqual([true, false]);
    expect(html).toContain(`/you/acts/follow/${owner.id}"`);
    expect(html).toMatch(/<nav aria-label="Tags">/);
  });

  test("knows the reader, and forgets one whose session has ended", async () => {
    expect((await (await service.enter(ana)).get("web", "/discover")).html).toContain("Sign out");
    const browser = await endedSession(await createUser());
    expect((await browser.get("web", "/discover")).html).toContain("/session/new");
    expect(browser.jars.web.size).toBe(0);
  });

  test("refuses what the database could not hold", async () => {
    expect((await service.open().get("web", "/discover?genre=%00")).status).toBe(422);
  });

  test("has words for a genre without tracks, whatever it is", async () => {
    const { status, html } = await service
      .open()
      .get("web", "/discover?genre=%27%22%3Cb%3E%5Cx&show=nonsense");
    expect(status).toBe(200);
    expect(html).toContain("There are no tracks here yet");
    expect(html).not.toContain("<b>");
  });

  test("does not say that nothing was played where an owner hides the counts", async () => {
    const { id } = await createPlayableTrack(ana, { genre: `${genre} quiet`, reveal_stats: false });
    await sql("update tracks set playback_count = 1 where id = $1", [id]);
    for (const show of ["", "popular"]) {
      const { html } = await service.open().get("web", `/discover?genre=${genre}+quiet&show=${show}`);
      expect(html).toMatch(/class="empty">Nothing is trending here yet\.</);
    }
  });

  test("tells a new member of the mail, but not again on the pages that it leads to", async () => {
    const path = `/discover?genre=${genre}&notice=welcome&show=newest`;
    const { html } = await (await service.enter(fan)).get("web", path);
    expect(html).toContain("Your account is ready");
    const links = Array.from(html.matchAll(/<a href="(\/discover[^"]*)"/g), ([, href]) => href);
    expect(links).toEqual(["/discover?show=newest", `/discover?genre=${genre}`]);
  });
});

describe("a tag's page", () => {
  test("lists its tracks with one statement", async () => {
    const { html, queries } = await service.open().get("web", `/tags/${genre}`);
    expect([queries, listed(html, `Tracks tagged ${genre}`)]).toEqual([1, ["Old hit"]]);
    expect((await service.open().get("web", "/tags/late%20night")).html).toContain("#late night");
  });

  test("and a genre's lead from a track to it, commas included", async () => {
    const word = `Rock ${genre}, "Pop"`;
    const tag_list = `"${genre},b"`;
    await createPlayableTrack(ana, { title: "Both", permalink: "both", genre: word, tag_list });
    const page = await service.open().get("web", `/${ana.username}/both`);
    const { pathname, search } = new URL(
      /<a href="(\/discover[^"]+)">Rock/.exec(page.html)?.[1] ?? "/",
      "http://web",
    );
    for (const query of ["", "&show=newest"]) {
      const { html } = await service.open().get("web", pathname + search + query);
      expect(listed(html, "New tracks"), query).toEqual(["Both"]);
    }
    const [, tagPath = "/"] = /<a href="(\/tags\/[^"]+)">/.exec(page.html) ?? [];
    const { html } = await service.open().get("web", tagPath);
    expect(listed(html, `Tracks tagged ${genre},b`)).toEqual(["Both"]);
  });

  test("has words for a tag that nobody uses", async () => {
    const { status, html } = await service.open().get("web", "/tags/%3Cb%3E");
    expect([status, html.includes("No public track has this tag")]).toEqual([200, true]);
    expect(html).toContain("#&lt;b&gt;");
    expect(html).toContain('<a class="button" href="/discover">Discover tracks</a>');
  });
});
