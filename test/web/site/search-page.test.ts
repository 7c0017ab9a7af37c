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
const genre = `g${crypto.randomUUID().slice(0, 8)}`;

beforeAll(async () => {
  ana = await createUser();
  await createPlayableTrack(ana, { title: "Old hit", genre, bpm: 90 });
  await createPlayableTrack(ana, { title: "Newest <b>", genre, bpm: 140 });
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
