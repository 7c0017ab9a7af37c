import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uniqueWord } from "../../api/tracks/lists.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { fieldsIn, startThreeHosts, threeHosts } from "./three-hosts.ts";

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

/** Titles of the list with this label, in order. */
const listed = (html: string, label: string): string[] => {
  const [, list = ""] =
    new RegExp(`aria-label="${label}"[^>]*>([^]*?)</ul>\\s*(?:<p|</section|<nav)`).exec(html) ?? [];
  return [...list.matchAll(/class="(?:row|tile|post)-title"><a [^>]*>([^<]*)</g)].map(
    ([, title = ""]) => title,
  );
};

/** Titles of the grid with this label, in order. */
const tiles = (html: string, label: string): string[] => {
  const [, grid = ""] =
    new RegExp(`<ul class="tiles" aria-label="${label}"[^>]*>([^]*?)</ul>`).exec(html) ?? [];
  return [...grid.matchAll(/class="tile-title"><a [^>]*>([^<]*)</g)].map(([, title = ""]) => title);
};

/** Signed in until now; the session has ended since. */
async function endedSession(person: Person) {
  const browser = await service.enter(person);
  await sql("update sessions set revoked_at = now() where user_id = $1", [person.id]);
  return browser;
}

describe("the home page", () => {
  test("shows visitors what is new and popular with one statement, and how to sign up", async () => {
    // Other files' tracks soon push those of `beforeAll` off the list.
    await createPlayableTrack(ana, { title: "Just out <b>" });
    const { status, html, queries } = await service.open().get("web", "/");
    expect([status, queries]).toEqual([200, 1]);
    expect(listed(html, "New tracks")).toContain("Just out &lt;b&gt;");
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

describe("an instance with a name of its own", () => {
  let named: Awaited<ReturnType<typeof startThreeHosts>>;
  beforeAll(async () => {
    named = await startThreeHosts({ SITE_NAME: "Harbour <Radio>", SITE_WORDS: "Sound of the coast" });
  });
  afterAll(() => named.stop());

  test("carries it, and its words", async () => {
    const { html } = await named.open().get("web", "/");
    expect(html).toContain("<title>Sound of the coast · Harbour &lt;Radio&gt;</title>");
    expect(html).toContain("Harbour &lt;Radio&gt; runs on Soundpost");
    expect((await named.open().get("auth", "/signin")).html).toContain("· Harbour &lt;Radio&gt;</title>");
  });

  test("lets no user or app take it, but keep it if they have it", async () => {
    const [holder, wanted] = [await createUser(), `Harbour Radio ${fan.id}`];
    await sql("update users set plan = 'artist' where id = $1", [holder.id]);
    const browser = await named.enter(holder);
    const answer = async (page: string, action: string, fields: Record<string, string>) => {
      const { html } = await browser.get("auth", page);
      return browser.post("auth", action, { ...fieldsIn(html, action), ...fields });
    };
    const submit = async (...form: Parameters<typeof answer>) => (await answer(...form)).status;
    const [, token] =
      /<code id="token">([^<]+)/.exec((await answer("/you/token", "/you/token", {})).html) ?? [];
    const send = async (method: string, path: string, json: object) => {
      const headers = { Authorization: `OAuth ${token}`, "Content-Type": "application/json" };
      return (await named.ask("api", path, { method, headers, body: JSON.stringify(json) })).status;
    };
    const app = { name: wanted, redirect_uris: "https://a.example/cb" };
    const rename = () => send("PUT", "/me", { user: { username: wanted } });
    const visitor = named.open();
    const { html } = await visitor.get("auth", "/signup");
    const account = { username: wanted, email: `${fan.id}@example.com`, password: "a few quiet words" };
    const signedUp = await visitor.post("auth", "/signup", { ...fieldsIn(html, "/signup"), ...account });
    expect([signedUp.status, signedUp.html.includes("Username is reserved")]).toEqual([422, true]);
    expect(await submit("/you/apps", "/you/apps", app)).toBe(422);
    expect(await submit("/settings", "/settings/profile", { username: wanted })).toBe(422);
    expect(await send("POST", "/me/apps", { ...app, redirect_uris: [app.redirect_uris] })).toBe(422);
    expect(await rename()).toBe(422);
    await sql("update users set username = $1 where id = $2", [wanted, holder.id]);
    expect(await submit("/settings", "/settings/profile", { city: "Hamburg" })).toBe(303);
    expect(await rename()).toBe(200);
    expect(await submit("/you/apps", "/you/apps", { ...app, name: "Plain" })).toBe(200);
    const [made] = await sql<{ id: number }>(
      "update apps set name = $1 where owner_id = $2 and name = 'Plain' returning id::float8 as id",
      [wanted, holder.id],
    );
    const edit = `/you/apps/${made?.id}`;
    expect(await submit("/you/apps", edit, { external_url: "https://a.example" })).toBe(303);
    expect(await submit("/you/apps", edit, { name: `${wanted} Login` })).toBe(422);
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

describe("search", () => {
  test.for([
    [`q=hit+${genre}`, ["Old hit"]],
    [`q=&genre=${genre}&bpm_from=100`, ["Newest &lt;b&gt;"]],
    [`genre=${genre}&duration=long`, []],
    [`genre=${genre}&duration=short&sort=newest`, ["Newest &lt;b&gt;", "Old hit"]],
    [`genre=${genre}&license=share`, []],
    [`genre=${genre}&license=nonsense&duration=constructor`, ["Newest &lt;b&gt;", "Old hit"]],
  ] as const)("finds tracks by %s", async ([query, titles]) => {
    const { status, html, queries } = await service.open().get("web", `/search?${query}`);
    expect([status, queries]).toEqual([200, 1]);
    expect(listed(html, "Tracks")).toEqual(titles);
    if (titles.length === 0) expect(html).toContain("with these filters");
  });

  test("finds people and sets", async () => {
    const title = `Set ${genre}`;
    await api.as(ana).post("/playlists", { json: { playlist: { title, sharing: "public" } } });
    const people = await service.open().get("web", `/search?type=people&q=${ana.username}`);
    expect([people.queries, listed(people.html, "People")]).toEqual([1, [ana.username]]);
    const sets = await service.open().get("web", `/search?type=sets&q=${genre}`);
    expect([sets.queries, listed(sets.html, "Sets")]).toEqual([1, [title]]);
  });

  test("shows the best of all kinds on one page, with who is followed", async () => {
    const [followed, other, reader, word] = [
      await createUser(),
      await createUser(),
      await createUser(),
      uniqueWord(),
    ];
    for (const { id } of [followed, other])
      await sql("update users set username = $2 where id = $1", [id, `${word} ${id}`]);
    await api.as(reader).put(`/me/followings/${followed.id}`);
    await createPlayableTrack(ana, { title: `Heard ${word}` });
    await api.as(ana).post("/playlists", { json: { playlist: { title: `Row ${word}`, sharing: "public" } } });
    const browser = await service.enter(reader);
    const { html, queries } = await browser.get("web", `/search?q=${word}`);
    expect(queries).toBe(1);
    expect([listed(html, "Tracks"), tiles(html, "Sets")]).toEqual([[`Heard ${word}`], [`Row ${word}`]]);
    expect(tiles(html, "People").sort()).toEqual([`${word} ${followed.id}`, `${word} ${other.id}`].sort());
    for (const page of [html, (await browser.get("web", `/search?type=people&q=${word}`)).html])
      for (const act of [`unfollow/${followed.id}`, `follow/${other.id}`])
        expect(page).toContain(`/you/acts/${act}"`);
    for (const type of ["tracks", "people", "sets"])
      expect(html).toContain(`href="/search?q=${word}&amp;type=${type}"`);
  });

  test("forgives typing errors, says so, and can search for what was typed", async () => {
    const word = uniqueWord();
    const typed = `Lantrn ${word.slice(0, 4)}${word.slice(5)}`;
    for (let n = 0; n < 31; n++) await createPlayableTrack(ana, { title: `Lantern ${word}` });
    const visitor = service.open();
    const query = new URLSearchParams({ q: typed });
    const { html, queries } = await visitor.get("web", `/search?${query}`);
    expect(queries).toBe(1);
    expect(listed(html, "Tracks")[0]).toBe(`Lantern ${word}`);
    expect(html).toContain(`Nothing for “${typed}”. Showing results for “lantern ${word}”.`);
    expect(html).toContain(`href="/search?${query}&amp;exact=true"`);
    const exact = await visitor.get("web", `/search?${query}&exact=true`);
    expect(exact.html).toContain(`No tracks, people or sets match “${typed}”`);
    const first = await visitor.get("web", `/search?${query}&type=tracks`);
    const [, more = ""] = /rel="next" href="([^"]+)"/.exec(first.html) ?? [];
    const second = await visitor.get("web", more.replaceAll("&amp;", "&"));
    expect([first, second].map(({ html }) => listed(html, "Tracks").length)).toEqual([30, 1]);
  });

  test("neither corrects to a private title nor suggests it", async () => {
    const word = uniqueWord();
    await createPlayableTrack(ana, { title: word, sharing: "private" });
    const browser = await service.enter(ana);
    const found = await browser.get("web", `/search?q=${word.slice(0, -1)}x`);
    expect(found.html).not.toContain(word);
    const suggested = await browser.get("web", `/search/suggestions?q=${word}`);
    expect([suggested.status, suggested.html]).toEqual([200, ""]);
  });

  test("suggests options for the field at the top", async () => {
    const word = uniqueWord();
    await createPlayableTrack(ana, { title: `${word} <b>` });
    const { html, queries, headers } = await service
      .open()
      .get("web", `/search/suggestions?q=${word.slice(0, 6)}`);
    expect([queries, headers["cache-control"]]).toEqual([1, "private, max-age=60"]);
    expect(html).toMatch(new RegExp(`role="option"[^]*${word} &lt;b&gt;[^]*Track · ${ana.username}`));
    const long = await service.open().get("web", `/search/suggestions?q=${"x".repeat(500)}`);
    expect([long.status, long.html]).toEqual([200, ""]);
  });

  test("leads from page to page", async () => {
    const many = await createUser();
    for (let at = 1; at <= 31; at++) await createPlayableTrack(many, { title: `Part ${at}` });
    const first = await service.open().get("web", `/search?type=tracks&q=${many.username}`);
    const [, more = ""] = /rel="next" href="([^"]+)"/.exec(first.html) ?? [];
    const second = await service.open().get("web", more.replaceAll("&amp;", "&"));
    expect([first, second].map(({ html }) => listed(html, "Tracks").length)).toEqual([30, 1]);
    expect(second.html).toContain("Back to the beginning");
    expect(second.html).not.toContain('rel="next"');
  });

  test("helps on when nothing matches", async () => {
    const { html } = await service.open().get("web", "/search?q=%3Cscript%3Exyzzyx");
    expect(html).toContain("No tracks, people or sets match “&lt;script&gt;xyzzyx”");
    expect(html).toContain("fewer or other words");
  });

  test("shows a wrong filter's problem beside its field", async () => {
    const { status, html } = await service.open().get("web", "/search?q=a&bpm_to=fast");
    expect(status).toBe(422);
    expect(html).toMatch(/id="filter-bpm_to-problem"[\s\S]*BPM to must be a number/);
    expect(html).toContain('value="fast"');
  });

  test.for(["", "tracks", "people", "sets"])("says that the words for %s are too long", async (type) => {
    const { status, html } = await service.open().get("web", `/search?type=${type}&q=${"ab+".repeat(100)}`);
    expect(status).toBe(422);
    expect(html).toContain("Your search may have 200 characters at most.");
    expect(html).not.toContain("Correct the filters");
  });

  test("refuses a cursor of another list, and leads to a page that is not refused again", async () => {
    const { status, html } = await service.open().get("web", "/search?q=a&cursor=nonsense");
    expect([status, html.includes('class="button" href="/">To the home page')]).toEqual([400, true]);
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
  });
});
