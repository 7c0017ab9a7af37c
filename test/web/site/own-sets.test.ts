import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { createPng } from "../../support/images.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let browser: ThreeHostsBrowser;
let stranger: ThreeHostsBrowser;

beforeAll(async () => {
  ana = await createUser();
  browser = await service.open().enterSite(ana.id);
  stranger = await service.open().enterSite((await createUser()).id);
});

const makeTracks = (...titles: string[]) => Promise.all(titles.map((title) => createTrack(ana, { title })));

async function makeSet(fields: Record<string, unknown> = {}) {
  const json = { playlist: { title: "A set", ...fields } };
  const { body } = await api.as(ana).post<Playlist>("/playlists", { json });
  return { id: body.id, path: `${new URL(body.permalink_url).pathname}/edit` };
}

const read = async (id: number) => (await api.as(ana).get<Playlist>(`/playlists/${id}`)).body;
const idsIn = async (id: number) => (await read(id)).tracks?.map((track) => track.id);

const problemOf = (html: string, field: string) =>
  new RegExp(`id="[a-z]+-${field}-problem"><span class="sr-only">Error: </span>([^<]*)`).exec(html)?.[1];

test("each page leads visitors to the sign-in and back", async () => {
  for (const path of ["/you/sets", "/you/sets/new", "/you/sets/add?track=1", "/nobody/sets/nothing/edit"]) {
    const { status, location } = await service.open().get("web", path);
    expect([status, location?.pathname, location?.searchParams.get("next")]).toEqual([
      303,
      "/session/new",
      path,
    ]);
  }
});

test("/you/sets lists the own sets, private ones too, and nobody else's", async () => {
  await makeSet({ title: "Seen <here>", sharing: "private" });
  const { html } = await browser.get("web", "/you/sets");
  expect(html).toContain("Seen &lt;here&gt;");
  expect((await stranger.get("web", "/you/sets")).html).toContain("You have no sets yet");
});

describe("a new set", () => {
  test("is created, and leads to its edit page", async () => {
    const { html } = await browser.get("web", "/you/sets/new");
    const form = {
      ...fieldsIn(html, "/you/sets/new"),
      title: "Fresh",
      sharing: "private",
      playlist_type: "album",
    };
    const { status, location } = await browser.post("web", "/you/sets/new", form);
    expect([status, location?.pathname]).toEqual([303, `/${ana.username}/sets/fresh/edit`]);
    expect((await browser.get("web", location?.pathname ?? "")).html).toContain("No tracks yet");
  });

  test("without a title is shown again with the message beside the field", async () => {
    const { html } = await browser.get("web", "/you/sets/new");
    const form = { ...fieldsIn(html, "/you/sets/new"), title: " ", playlist_type: "demo" };
    const again = await browser.post("web", "/you/sets/new", form);
    expect([again.status, problemOf(again.html, "title")]).toEqual([422, "Title must not be empty"]);
    expect(fieldsIn(again.html, "/you/sets/new")).toMatchObject({ playlist_type: "demo" });
  });
});

describe("editing a set", () => {
  const edit = async (path: string, changes: Record<string, string | File>) =>
    browser.postParts("web", path, {
      ...fieldsIn((await browser.get("web", path)).html, path),
      ...changes,
    });

  test("is for its owner", async () => {
    const { path } = await makeSet();
    expect((await browser.get("web", path)).status).toBe(200);
    expect((await stranger.get("web", path)).status).toBe(404);
  });

  test("saves fields and artwork together, and leads to the set", async () => {
    const { id, path } = await makeSet();
    const png = new File([new Uint8Array(await createPng())], "a.png");
    const changes = {
      title: "Other",
      description: "One\n\ntwo",
      playlist_type: "ep single",
      ean: "4006381333931",
    };
    const reply = await edit(path, { ...changes, artwork_data: png });
    expect([reply.status, reply.location?.pathname]).toEqual([303, path.replace("/edit", "")]);
    expect(await read(id)).toMatchObject({ ...changes, description: "<p>One</p><p>two</p>" });
    expect((await read(id)).artwork_url).toContain("/images/");
    await edit(path, { remove_artwork: "on" });
    expect((await read(id)).artwork_url).toBeNull();
  });

  test("shows rubbish again beside its field, and a newer change instead of overwriting it", async () => {
    const { id, path } = await makeSet();
    const refused = await edit(path, { release_year: "soon", title: "x".repeat(256) });
    expect(refused.status).toBe(422);
    expect(problemOf(refused.html, "release_year")).toBe("Year of the release must be a whole number");
    expect(problemOf(refused.html, "title")).toContain("255 characters at most");
    const old = fieldsIn((await browser.get("web", path)).html, path);
    await edit(path, { title: "Newer" });
    const clash = await browser.postParts("web", path, { ...old, title: "Mine" });
    expect([clash.status, problemOf(clash.html, "title")]).toEqual([422, "Title differs: you had “Mine”"]);
    expect(await read(id)).toMatchObject({ title: "Newer" });
  });

  test("shows and replaces a private set's link", async () => {
    const { id, path } = await makeSet({ sharing: "private" });
    const page = await browser.get("web", path);
    const [, link = ""] = /value="([^"]+\/s-\w+)"/.exec(page.html) ?? [];
    expect((await service.open().get("web", new URL(link).pathname)).status).toBe(200);
    const action = `/you/acts/replace-playlist-link/${id}`;
    await browser.post("web", action, { form_token: tokenIn(page.html, action), next: path });
    expect((await service.open().get("web", new URL(link).pathname)).status).toBe(404);
  });
});

describe("the order of a set", () => {
  async function filledSet() {
    const ids = (await makeTracks("One", "Two", "Three")).map(({ id }) => id);
    const set = await makeSet({ tracks: ids.map((id) => ({ id })) });
    const action = `/you/sets/${set.id}/tracks`;
    const send = async (fields: Record<string, string>) => {
      const { html } = await browser.get("web", set.path);
      return browser.post("web", action, { ...fieldsIn(html, action), ...fields });
    };
    return { ...set, ids, action, send };
  }

  test("is changed by buttons, which lead back to the moved track", async () => {
    const { id, ids, path, send } = await filledSet();
    const [one, two, three] = ids;
    const reply = await send({ move: `up ${three}` });
    expect([reply.status, reply.location?.pathname, reply.location?.hash]).toEqual([
      303,
      path,
      `#track-${three}`,
    ]);
    expect(await idsIn(id)).toEqual([one, three, two]);
    await send({ move: `top ${two}` });
    expect(await idsIn(id)).toEqual([two, one, three]);
    await send({ move: `down ${two}` });
    expect(await idsIn(id)).toEqual([one, two, three]);
    await send({ move: `down ${three}` });
    expect(await idsIn(id)).toEqual([one, two, three]);
  });

  test("is saved whole by the script, which learns the set's new version", async () => {
    const { id, ids, path, send } = await filledSet();
    const { version } = fieldsIn((await browser.get("web", path)).html, path);
    const reply = await send({ order: ids.toReversed().join(",") });
    const { was, now } = JSON.parse(reply.html) as { was: string; now: string };
    expect(was).toBe(version);
    expect(await idsIn(id)).toEqual(ids.toReversed());
    expect(fieldsIn((await browser.get("web", path)).html, path).version).toBe(now);
  });

  test("409: an old window does not undo the order of another one, and a repeated request is no conflict", async () => {
    const { id, ids, path, action, send } = await filledSet();
    const [one, two, three] = ids;
    const old = fieldsIn((await browser.get("web", path)).html, action);
    const added = (await makeTracks("Four")).map((track) => ({ id: track.id }));
    await api.as(ana).put(`/playlists/${id}`, { json: { playlist: { tracks: added } } });
    await browser.post("web", action, { ...old, move: `down ${one}` });
    expect(await idsIn(id)).toEqual([two, one, three, added[0]?.id]);
    await send({ move: `top ${three}` });
    const refused = await browser.post("web", action, { ...old, move: `up ${two}` });
    expect(refused.status).toBe(409);
    expect(refused.html).toContain("put in another order meanwhile");
    expect(await idsIn(id)).toEqual([three, two, one, added[0]?.id]);
    const repeated = { ...old, order: [three, two, one].join(",") };
    expect((await browser.post("web", action, repeated)).status).toBe(200);
  });

  test("keeps the place of a track that the owner cannot see for now", async () => {
    const { id, ids, send } = await filledSet();
    const theirs = await createTrack(await createUser(), { title: "Theirs" });
    await api.as(ana).put(`/playlists/${id}`, { json: { playlist: { tracks: [{ id: theirs.id }] } } });
    await sql("update playlist_tracks set position = 0 where track_id = $1", [theirs.id]);
    await sql("update tracks set sharing = 'private' where id = $1", [theirs.id]);
    await send({ move: `top ${ids[2]}` });
    await sql("update tracks set sharing = 'public' where id = $1", [theirs.id]);
    expect(await idsIn(id)).toEqual([theirs.id, ids[2], ids[0], ids[1]]);
  });

  test("is saved although a track of the set is deleted at the same moment", async () => {
    const { id, ids, send } = await filledSet();
    const [one, two, three] = ids;
    const reply = await askDuring("delete from tracks where id = $1", [two], () =>
      send({ move: `top ${three}` }),
    );
    expect([reply.status, await idsIn(id)]).toEqual([303, [three, one]]);
  });

  test("survives rubbish, and a track is taken out by its button", async () => {
    const { id, ids, send } = await filledSet();
    for (const order of ["", "x", "-1,9e99", "1,1,1"]) await send({ order, move: "up x" });
    await send({ move: "sideways 1" });
    expect((await send({ move: "up \r\nX:1" })).status).toBe(303);
    expect(await idsIn(id)).toEqual(ids);
    // The second comes from a window that still shows the track.
    for (let time = 0; time < 2; time++) expect((await send({ remove: String(ids[1]) })).status).toBe(303);
    expect(await idsIn(id)).toEqual([ids[0], ids[2]]);
  });

  test("is nobody else's to change", async () => {
    const { id, ids, action, path } = await filledSet();
    const { html } = await browser.get("web", path);
    const form = { ...fieldsIn(html, action), move: `top ${ids[2]}` };
    expect((await stranger.post("web", action, form)).status).toBe(403);
    expect(await idsIn(id)).toEqual(ids);
  });
});

describe("adding a track to a set", () => {
  test("and taking it out, by the buttons of the page", async () => {
    const [track] = await makeTracks("Addable");
    const { id } = await makeSet({ title: "Box" });
    const path = `/you/sets/add?track=${track?.id}`;
    for (const [act, expected] of [
      ["add-to-set", [track?.id]],
      ["remove-from-set", []],
    ] as const) {
      const { html } = await browser.get("web", path);
      const words = html.replaceAll(/<[^>]*>/g, "");
      expect(words).toContain(act === "add-to-set" ? "Add Addable to Box" : "Remove Addable from Box");
      const action = `/you/acts/${act}/${id}`;
      const reply = await browser.post("web", action, fieldsIn(html, action));
      expect([reply.status, `${reply.location?.pathname}${reply.location?.search}`]).toEqual([303, path]);
      expect(await idsIn(id)).toEqual(expected);
      // Another window still has the button.
      expect((await browser.post("web", action, fieldsIn(html, action))).status).toBe(303);
    }
  });

  test("counts the tracks that the set's own page shows", async () => {
    const bo = await createUser();
    const [mine] = await makeTracks("Counted");
    const theirs = await createTrack(bo, { title: "Theirs" });
    await makeSet({ title: "Of two", tracks: [{ id: mine?.id }, { id: theirs.id }] });
    await sql("update tracks set sharing = 'private' where id = $1", [theirs.id]);
    const { html } = await browser.get("web", `/you/sets/add?track=${mine?.id}`);
    const [, row = ""] = html.split("<bdi>Of two</bdi>");
    expect(/\d+ tracks?/.exec(row.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "))?.[0]).toBe("1 track");
  });

  test("makes a new set of it, or says what is wrong with the title and still adds it to others", async () => {
    const [track] = await makeTracks("Seed");
    const { id: other } = await makeSet({ title: "Field" });
    const { html } = await browser.get("web", `/you/sets/add?track=${track?.id}`);
    const form = fieldsIn(html, "/you/sets/add");
    const refused = await browser.post("web", "/you/sets/add", { ...form, title: "" });
    expect([refused.status, problemOf(refused.html, "title")]).toEqual([422, "Title must not be empty"]);
    expect(fieldsIn(refused.html, `/you/acts/add-to-set/${other}`).next).toBe(
      `/you/sets/add?track=${track?.id}`,
    );
    expect((await browser.post("web", "/you/sets/add", { ...form, title: "Grown" })).status).toBe(303);
    const { body } = await api.as(ana).get<Playlist[]>("/me/playlists");
    const grown = body.find(({ title }) => title === "Grown");
    expect(grown?.tracks?.map(({ id }) => id)).toEqual([track?.id]);
  });

  test("is 404 for a track that one does not see, and for rubbish", async () => {
    const hidden = await createTrack(await createUser(), { sharing: "private" });
    for (const track of [String(hidden.id), "1", "x", "", "9".repeat(17)])
      expect((await browser.get("web", `/you/sets/add?track=${track}`)).status).toBe(404);
  });
});

test("deleting a set asks first, keeps its tracks, and is nobody else's", async () => {
  const [track] = await makeTracks("Stays");
  const { id } = await makeSet({ tracks: [{ id: track?.id }] });
  const action = `/you/sets/${id}/delete`;
  expect((await stranger.get("web", action)).status).toBe(404);
  const { html } = await browser.get("web", action);
  const reply = await browser.post("web", action, { form_token: tokenIn(html, action) });
  expect([reply.status, reply.location?.pathname]).toEqual([303, "/you/sets"]);
  expect((await api.as(ana).get(`/playlists/${id}`)).status).toBe(404);
  expect((await api.as(ana).get(`/tracks/${track?.id}`)).status).toBe(200);
});
