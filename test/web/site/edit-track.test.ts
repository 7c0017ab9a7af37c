import { describe, expect, test } from "vitest";
import { SANITIZER_VERSION } from "../../../functions/lib/text/html.ts";
import { TRACK_FIELDS } from "../../../functions/web/pages/own/track-fields.ts";
import { operate } from "../../support/operate.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";
import { openTrackForms, problemOf } from "./edit-track.support.ts";
import { fieldsIn, tokenIn } from "./three-hosts.ts";

const { service, owner: ana, browser, newTrack, edit, read } = await openTrackForms();

describe("the page", () => {
  test("is the owner's: 404 for others, the sign-in for visitors, whatever is there", async () => {
    const { path } = await newTrack();
    expect((await browser.get("web", path)).status).toBe(200);
    const other = await service.open().enterSite((await createUser()).id);
    expect((await other.get("web", path)).status).toBe(404);
    for (const each of [path, "/nobody/nothing/edit"]) {
      const { status, location } = await service.open().get("web", each);
      expect([status, location?.searchParams.get("next")]).toEqual([303, each]);
    }
    expect((await browser.get("web", `/${ana.username}/nothing/edit`)).status).toBe(404);
  });

  test("has a field for everything that the API lets an owner write", async () => {
    const { path } = await newTrack();
    const { html } = await browser.get("web", path);
    const document = (await (await service.ask("api", "/openapi.json")).json()) as {
      components: { schemas: Record<string, { properties: { track: { properties: object } } }> };
    };
    const writable = Object.keys(document.components.schemas.TrackChanges?.properties.track.properties ?? {});
    expect(writable.length).toBeGreaterThan(25);
    // The audio cannot be replaced, and the release has a field for each part of its date.
    const shown = writable.filter((name) => !["asset_data", "release_date"].includes(name));
    const lines: Record<string, string> = { artists: "artist_name_0" };
    for (const name of shown) expect(html, name).toContain(`name="${lines[name] ?? name}"`);
  });

  test("saved as it is, changes nothing", async () => {
    const { id, path } = await newTrack({
      description: "<p>One<br />two</p><p>three</p>",
      sanitizer_version: SANITIZER_VERSION,
      bpm: 120.1,
    });
    const before = await read(id);
    const reply = await edit(path, {});
    expect([reply.status, reply.location?.pathname]).toEqual([303, path.replace("/edit", "")]);
    expect(await read(id)).toEqual(before);
  });

  test("saves every group of fields", async () => {
    const { id, path } = await newTrack();
    const changes = {
      title: "New <title>",
      metadata_artist: "Ana & friends",
      description: "First\r\n\r\nsecond",
      genre: "Jazz",
      tag_list: 'one "two words"',
      sharing: "private",
      license: "cc-by",
      release_year: "2024",
      release_month: "2",
      release_day: "29",
      label_name: "Own",
      isrc: "DE1234567890",
      bpm: "98.5",
      key_signature: "F minor",
      track_type: "live",
      paywall: "preview",
      available_country_codes: "de, FR",
      purchase_url: "https://shop.example/",
      embeddable_by: "none",
    };
    const flags = { downloadable: "on", commentable: undefined, reveal_stats: undefined };
    expect((await edit(path, { ...changes, ...flags })).status).toBe(303);
    expect(await read(id)).toMatchObject({
      ...changes,
      description: "<p>First</p><p>second</p>",
      release_year: 2024,
      release_month: 2,
      release_day: 29,
      bpm: 98.5,
      available_country_codes: ["DE", "FR"],
      downloadable: true,
      commentable: false,
      reveal_stats: false,
    });
    const { html } = await browser.get("web", path);
    expect(fieldsIn(html, path)).toMatchObject({
      title: "New <title>",
      description: "First\n\nsecond",
      available_country_codes: "DE, FR",
      downloadable: "on",
    });
    expect(fieldsIn(html, path)).not.toHaveProperty("commentable");
  });

  test("clears what is emptied", async () => {
    const { id, path } = await newTrack({
      genre: "Jazz",
      description: "x",
      release_year: 2020,
      tag_list: "a",
    });
    await edit(path, { genre: "", description: "", release_year: "", tag_list: "" });
    expect(await read(id)).toMatchObject({
      genre: null,
      description: null,
      release_year: null,
      tag_list: "",
    });
  });
});

describe("rubbish", () => {
  test("is shown again with each message beside its field, and nothing is saved", async () => {
    const { id, path } = await newTrack({ title: "Kept" });
    const rubbish = {
      title: " ",
      bpm: "fast",
      release_month: "13",
      purchase_url: "shop",
      genre: "Typed",
      available_country_codes: "fr, uk,",
    };
    const { status, html } = await edit(path, rubbish);
    expect(status).toBe(422);
    expect(problemOf(html, "title")).toBe("Title must not be empty");
    expect(problemOf(html, "bpm")).toBe("Beats per minute must be a number");
    expect(problemOf(html, "release_month")).toMatch(/^Month of the release must/);
    expect(problemOf(html, "purchase_url")).toMatch(/^Link to a shop must be/);
    expect(problemOf(html, "available_country_codes")).toMatch(/plays must hold two-letter .* UK is none$/);
    expect(problemOf(html, "genre")).toBeUndefined();
    expect(fieldsIn(html, path)).toMatchObject({ ...rubbish, title: expect.stringMatching(/^\s?$/) });
    expect(await read(id)).toMatchObject({ title: "Kept", genre: null });
  });

  test("in a folded group opens the group", async () => {
    const { path } = await newTrack();
    const { html } = await edit(path, { isrc: "x".repeat(51) });
    expect(/<details[^>]*open[^>]*><summary>Release/.test(html)).toBe(true);
    expect(/<details[^>]*open[^>]*><summary>About/.test(html)).toBe(false);
  });

  test("as a version counts as another window's", async () => {
    const { id, path } = await newTrack({ title: "Kept" });
    expect((await edit(path, { title: "Lost", version: "\u0000", digest: "\u0000" })).status).toBe(422);
    expect(await read(id)).toMatchObject({ title: "Kept" });
  });

  test("as a date that does not exist", async () => {
    const { path } = await newTrack();
    const leapDay = { release_year: "2023", release_month: "2", release_day: "29" };
    const { status, html } = await edit(path, leapDay);
    expect([status, problemOf(html, "release_day")]).toEqual([
      422,
      "Day of the release is part of no date that exists",
    ]);
  });

  test("as another track's id is 404, and a form without our token 403", async () => {
    const { path } = await newTrack();
    const theirs = await createTrack(await createUser(), { sharing: "private" });
    expect((await edit(path, { id: String(theirs.id) })).status).toBe(404);
    expect((await edit(path, { id: "x" })).status).toBe(404);
    expect((await edit(path, { form_token: "x" })).status).toBe(403);
  });
});

test("a change in another window is not overwritten: the newer values appear, and yours beside them", async () => {
  const { id, path } = await newTrack({ title: "First" });
  const { html: open } = await browser.get("web", path);
  await edit(path, { title: "Second", genre: "Jazz" });
  const mine = { ...fieldsIn(open, path), title: "Mine", downloadable: "on" };
  const { status, html } = await browser.postParts("web", path, mine);
  expect(status).toBe(422);
  expect(html).toContain("changed in another window");
  expect(problemOf(html, "title")).toBe("Title differs: you had “Mine”");
  expect(problemOf(html, "downloadable")).toContain("you had ticked");
  expect(fieldsIn(html, path)).toMatchObject({ title: "Second", genre: "Jazz" });
  expect(await read(id)).toMatchObject({ title: "Second", downloadable: false });
  expect((await browser.postParts("web", path, { ...fieldsIn(html, path), title: "Mine" })).status).toBe(303);
  expect(await read(id)).toMatchObject({ title: "Mine", genre: "Jazz" });
});

test("a form is saved although the track has changed in what no field shows, as when its encode ends", async () => {
  const { id, path } = await newTrack({ title: "First", state: "processing" });
  const { html } = await browser.get("web", path);
  await sql("update tracks set state = 'failed', updated_at = now() where id = $1", [id]);
  const typed = { ...fieldsIn(html, path), title: "Typed" };
  expect((await browser.postParts("web", path, typed)).status).toBe(303);
  expect(await read(id)).toMatchObject({ title: "Typed" });
});

test("a private track's link is shown and replaced; a public one's is not shown", async () => {
  const { id, path } = await newTrack({ sharing: "private" });
  const link = async () => /value="([^"]+\/s-\w+)"/.exec((await browser.get("web", path)).html)?.[1] ?? "";
  const first = await link();
  const opens = async (url: string) => (await service.open().get("web", new URL(url).pathname)).status;
  expect(await opens(first)).toBe(200);
  const action = `/you/acts/replace-track-link/${id}`;
  const { html } = await browser.get("web", path);
  await browser.post("web", action, { form_token: tokenIn(html, action), next: path });
  expect([await opens(first), await opens(await link())]).toEqual([404, 200]);
  await edit(path, { sharing: "public" });
  expect(await link()).toBe("");
});

test("the form of a track that was taken down does not make it private for good", async () => {
  const { id, path } = await newTrack();
  await operate("track take-down", "--track", String(id), "--reason", "Somebody claims it");
  expect((await edit(path, { title: "Corrected" })).status).toBe(303);
  await operate("track put-back", "--track", String(id));
  expect(await read(id)).toMatchObject({ title: "Corrected", sharing: "public" });
});

test("labels are unique, because messages name fields by them", () => {
  const labels = TRACK_FIELDS.flatMap(({ fields }) => fields.map(({ label }) => label));
  expect(new Set(labels).size).toBe(labels.length);
});
