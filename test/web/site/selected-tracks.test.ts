import { beforeEach, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();
const SELECTED = "/you/tracks/selected";

let ana: Person;
let browser: ThreeHostsBrowser;
let one: number;
let two: number;

beforeEach(async () => {
  ana = await createUser();
  browser = await service.open().enterSite(ana.id);
  one = (await createTrack(ana, { title: "One <1>", sharing: "private" })).id;
  two = (await createTrack(ana, { title: "Two", sharing: "private" })).id;
});

const read = async (id: number) => (await api.as(ana).get<Track>(`/tracks/${id}`)).body;
const open = () => browser.get("web", `${SELECTED}?track=${one}&track=${two}`);

test("each row of the list has a box, and a button takes all of the page", async () => {
  const { html } = await browser.get("web", "/you/tracks");
  for (const id of [one, two])
    expect(html).toContain(`<input type="checkbox" name="track" value="${id}" form="selection"/>`);
  const [, all = ""] = /name="all" value="([\d,]+)"/.exec(html) ?? [];
  expect(all.split(",").map(Number).sort()).toEqual([one, two].sort());
  const page = await browser.get("web", `${SELECTED}?all=${all}`);
  expect(page.html).toContain("<h1>Edit 2 tracks</h1>");
  expect(page.html).toContain("One &lt;1&gt;");
});

test("visitors are led to the sign-in, and nobody sees another person's track", async () => {
  for (const path of [SELECTED, `${SELECTED}/set`, `${SELECTED}/delete`]) {
    const { status, location } = await service.open().get("web", `${path}?all=${one}`);
    expect([status, location?.pathname]).toEqual([303, "/session/new"]);
  }
  const stranger = await service.open().enterSite((await createUser()).id);
  const { html } = await stranger.get("web", `${SELECTED}?track=${one}`);
  expect(html).toContain("<h1>Nothing selected</h1>");
  expect((await browser.get("web", SELECTED)).html).toContain("<h1>Nothing selected</h1>");
});

describe("saving", () => {
  test("changes what was filled in, and nothing else", async () => {
    await sql("update tracks set label_name = 'Old label', tag_list = 'demo own' where id = $1", [one]);
    const { html } = await open();
    const reply = await browser.post("web", SELECTED, {
      ...fieldsIn(html, SELECTED),
      form_token: tokenIn(html, SELECTED),
      ids: `${one},${two}`,
      genre: "Folk",
      license: "cc-by",
      add_tags: "live",
      remove_tags: "demo",
      downloadable: "true",
    });
    expect([reply.status, reply.location?.pathname]).toEqual([303, "/you/tracks"]);
    const shared = {
      genre: "Folk",
      license: "cc-by",
      downloadable: true,
      commentable: true,
      sharing: "private",
    };
    expect(await read(one)).toMatchObject({ ...shared, label_name: "Old label", tag_list: "own live" });
    expect(await read(two)).toMatchObject({ ...shared, label_name: null, tag_list: "live" });
  });

  test("empties the fields that are ticked, and keeps the others", async () => {
    await sql(
      `update tracks set genre = 'Folk', tag_list = 'demo own', label_name = 'Label', release = 'CAT 1', release_day = 1,
         release_month = 2, release_year = 2024 where id = any ($1)`,
      [[one, two]],
    );
    const { html } = await open();
    const form = { form_token: tokenIn(html, SELECTED), ids: `${one},${two}` };
    const ticked = { empty_genre: "on", empty_tags: "on", empty_date: "on" };
    const refused = await browser.post("web", SELECTED, {
      ...form,
      ...ticked,
      genre: "Jazz",
      add_tags: "live",
    });
    expect(refused.status).toBe(422);
    for (const name of ["empty_genre", "empty_tags"])
      expect(refused.html).toContain(`id="selected-${name}-problem"`);
    expect(refused.html).not.toContain('id="selected-empty_date-problem"');
    expect((await read(one)).genre).toBe("Folk");
    expect((await browser.post("web", SELECTED, { ...form, ...ticked })).status).toBe(303);
    for (const id of [one, two])
      expect(await read(id)).toMatchObject({
        genre: null,
        tag_list: "",
        release_day: null,
        release_month: null,
        release_year: null,
        label_name: "Label",
        release: "CAT 1",
      });
    expect(
      (await browser.post("web", SELECTED, { ...form, empty_label: "on", empty_release: "on" })).status,
    ).toBe(303);
    expect(await read(two)).toMatchObject({ label_name: null, release: null, title: "Two" });
  });

  test("422: a wrong value stands beside its field, and nothing is changed", async () => {
    const { html } = await open();
    const sent = {
      form_token: tokenIn(html, SELECTED),
      ids: `${one},${two}`,
      genre: "Folk",
      release_year: "soon",
    };
    const reply = await browser.post("web", SELECTED, sent);
    expect(reply.status).toBe(422);
    expect(reply.html).toContain('id="selected-release_year-problem"');
    expect(reply.html).toContain('value="Folk"');
    expect((await read(one)).genre).toBeNull();
  });

  test("publishes and hides; a track that cannot be is named, and stays selected", async () => {
    await sql("update tracks set taken_down_at = now() where id = $1", [one]);
    const { html } = await open();
    const form = { form_token: tokenIn(html, SELECTED), ids: `${one},${two}` };
    const reply = await browser.post("web", SELECTED, { ...form, sharing: "public" });
    expect(reply.status).toBe(422);
    expect(reply.html).toContain("<bdi>One &lt;1&gt;</bdi>: the track was taken down");
    expect(reply.html).toContain("<h1>Edit 1 track</h1>");
    expect((await read(two)).sharing).toBe("public");
    const hidden = await browser.post("web", SELECTED, { ...form, sharing: "private" });
    expect([hidden.status, (await read(two)).sharing]).toEqual([303, "private"]);
  });
});

describe("adding to a set", () => {
  test("adds all in one go, to a set or to a new one", async () => {
    const json = { playlist: { title: "Mine", tracks: [] } };
    const { id } = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
    const { html } = await browser.get("web", `${SELECTED}/set?all=${one},${two}`);
    expect(html).toContain("<bdi>Mine</bdi>");
    const form = { form_token: tokenIn(html, `${SELECTED}/set`), ids: `${one},${two}` };
    const reply = await browser.post("web", `${SELECTED}/set`, { ...form, set: String(id) });
    expect([reply.status, reply.location?.pathname]).toEqual([303, `/${ana.username}/sets/mine/edit`]);
    const fresh = await browser.post("web", `${SELECTED}/set`, {
      ...form,
      title: "Fresh",
      sharing: "private",
    });
    expect(fresh.location?.pathname).toBe(`/${ana.username}/sets/fresh/edit`);
    const sets = (await api.as(ana).get<Playlist[]>("/me/playlists")).body;
    expect(sets.map(({ tracks }) => tracks?.map((track) => track.id))).toEqual([
      [one, two],
      [one, two],
    ]);
    const nameless = await browser.post("web", `${SELECTED}/set`, { ...form, title: "" });
    expect([nameless.status, nameless.html.includes('id="new-title-problem"')]).toEqual([422, true]);
  });
});

describe("deleting", () => {
  test("names each track first, then deletes them all", async () => {
    const path = `${SELECTED}/delete`;
    const { html } = await browser.get("web", `${path}?all=${one},${two}`);
    expect(html).toContain("<h1>Delete 2 tracks?</h1>");
    expect(html).toContain("<bdi>One &lt;1&gt;</bdi>");
    expect(await sql("select from tracks where user_id = $1", [ana.id])).toHaveLength(2);
    const form = { form_token: tokenIn(html, path), ids: `${one},${two}` };
    const reply = await browser.post("web", path, form);
    expect([reply.status, reply.location?.pathname]).toEqual([303, "/you/tracks"]);
    expect(await sql("select from tracks where user_id = $1", [ana.id])).toHaveLength(0);
    const again = await browser.post("web", path, form);
    expect([again.status, again.html.includes("A track that is no longer yours")]).toEqual([422, true]);
  });
});
