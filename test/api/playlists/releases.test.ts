import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createForm, createPng } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { idsIn, named } from "./playlists.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const draftsOf = (owner: Person, ...titles: string[]) =>
  Promise.all(titles.map((title) => createPlayableTrack(owner, { title, sharing: "private" })));

const publish = (owner: Person, release: object, headers = {}) =>
  api.as(owner).post<Playlist & ErrorReply>("/releases", { json: { release }, headers });

const trackOf = async (who: Person, id: number | undefined) =>
  (await api.as(who).get<Track>(`/tracks/${id}`)).body;

const sharingOf = (ids: number[]) => Promise.all(ids.map(async (id) => (await trackOf(ana, id)).sharing));

const listed = async (owner: Person, path: "tracks" | "playlists") =>
  (await api.get<{ title: string }[]>(`/users/${owner.id}/${path}`, { headers: await asApp() })).body.map(
    ({ title }) => title,
  );

const asApp = async () => ({ Authorization: `OAuth ${ana.token}` });

describe("a release", () => {
  test("is a public set of what were private tracks, in its order, which share its fields", async () => {
    const owner = await createUser();
    const [one, two, three] = await draftsOf(owner, "One", "Two", "Three");
    const ids = [one, two, three].map((track) => track?.id ?? 0);
    await sql("update tracks set release_day = 31, genre = 'Noise' where id = $1", [ids[0]]);
    const { status, headers, body } = await publish(owner, {
      title: "Night EP",
      playlist_type: "ep single",
      genre: "Ambient",
      license: "cc-by",
      label_name: "Night Shift",
      release: "NS-014",
      release_year: 2026,
      release_month: 2,
      artist: "Nightfall",
      description: "Of the set alone",
      tracks: named(ids),
    });
    expect([status, headers.get("Location")]).toEqual([201, body.uri]);
    expect(body).toMatchObject({
      title: "Night EP",
      playlist_type: "ep single",
      sharing: "public",
      track_count: 3,
    });
    expect(idsIn(body)).toEqual(ids);
    for (const id of ids)
      expect(await trackOf(ana, id)).toMatchObject({
        sharing: "public",
        genre: "Ambient",
        license: "cc-by",
        label_name: "Night Shift",
        release: "NS-014",
        release_year: 2026,
        release_month: 2,
        release_day: null,
        metadata_artist: "Nightfall",
        description: null,
      });
    expect(await listed(owner, "tracks")).toEqual(["One", "Two", "Three"]);
    expect(await listed(owner, "playlists")).toEqual(["Night EP"]);
  });

  test("leaves to each track what the request does not name", async () => {
    const [track] = await draftsOf(ana, "Own");
    await sql("update tracks set genre = 'Noise', artist = 'Guest', release_year = 1999 where id = $1", [
      track?.id,
    ]);
    await publish(ana, { title: "Single", tracks: named([track?.id ?? 0]) });
    const now = await trackOf(ana, track?.id);
    expect(now).toMatchObject({
      genre: "Noise",
      metadata_artist: "Guest",
      release_year: 1999,
      sharing: "public",
    });
  });

  test("may have tracks that are encoding, which others see once they are ready", async () => {
    const track = await createTrack(ana, { title: "Soon", sharing: "private", state: "processing" });
    const { status, body } = await publish(ana, { title: "Early", tracks: named([track.id]) });
    expect([status, idsIn(body)]).toEqual([201, [track.id]]);
  });

  test("takes its artwork in a form", async () => {
    const [track] = await draftsOf(ana, "Covered");
    const form = createForm({
      "release[title]": "With a cover",
      "release[tracks][][id]": String(track?.id),
      "release[artwork_data]": await createPng(600, 600),
    });
    const { status, body } = await api.as(ana).post<Playlist>("/releases", form);
    expect([status, body.artwork_url, idsIn(body)]).toEqual([201, expect.any(String), [track?.id]]);
  });

  test("with a time waits for it as a whole; a track that is public already stays so", async () => {
    const owner = await createUser();
    const [draft] = await draftsOf(owner, "Waits");
    const lead = await createPlayableTrack(owner, { title: "Lead single" });
    const publish_at = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
    const tracks = named([draft?.id ?? 0, lead.id]);
    const { status, body } = await publish(owner, { title: "Later", publish_at, tracks });
    expect(status).toBe(201);
    const waiting = { sharing: "private", publish_at };
    expect(body).toMatchObject({ ...waiting, tracks: [waiting, { sharing: "public", publish_at: null }] });
    expect(await listed(owner, "playlists")).toEqual([]);
    expect(await listed(owner, "tracks")).toEqual(["Lead single"]);
    const late = await publish(owner, { title: "Late", publish_at: "2020-01-01T00:00:00Z", tracks });
    expect([late.status, late.body.errors?.[0]?.error_message]).toEqual([
      422,
      "release[publish_at]: has passed; leave it out to publish at once",
    ]);
  });

  test("is published once when the request is repeated with its key", async () => {
    const [track] = await draftsOf(ana, "Twice");
    const release = { title: "Once", tracks: named([track?.id ?? 0]) };
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const both = await Promise.all([publish(ana, release, headers), publish(ana, release, headers)]);
    const first = both.filter(({ status }) => status === 201);
    const again = await publish(ana, release, headers);
    expect(new Set([...first, again].map(({ body }) => body.id)).size).toBe(1);
  });
});

describe("a release that is refused leaves every track private and makes no set", () => {
  const refused = async (release: object, ids: number[]) => {
    const before = (await api.as(ana).get<Playlist[]>("/me/playlists")).body.length;
    const { status, body } = await publish(ana, release);
    expect((await api.as(ana).get<Playlist[]>("/me/playlists")).body.length).toBe(before);
    expect(new Set(await sharingOf(ids))).toEqual(new Set(["private"]));
    return [status, body.errors?.[0]?.error_message];
  };

  test("422: a failed track is named", async () => {
    const [good] = await draftsOf(ana, "Good");
    const bad = await createTrack(ana, { title: "Broken", state: "failed", sharing: "private" });
    const ids = [good?.id ?? 0, bad.id];
    const [status, text] = await refused({ title: "Half", tracks: named(ids) }, ids);
    expect([status, text]).toEqual([422, expect.stringContaining("“Broken” failed")]);
  });

  test("422: another user's track, even a public one", async () => {
    const [own] = await draftsOf(ana, "Mine");
    const others = await createPlayableTrack(await createUser());
    const tracks = named([own?.id ?? 0, others.id]);
    const answer = await refused({ title: "Half", tracks }, [own?.id ?? 0]);
    expect(answer).toEqual([422, "release[tracks]: names a track that is not yours"]);
  });

  test("422: no date, no track, no title", async () => {
    const [own] = await draftsOf(ana, "Dated");
    const ids = [own?.id ?? 0];
    const tracks = named(ids);
    expect(await refused({ title: "x", release_month: 2, release_day: 30, tracks }, ids)).toEqual([
      422,
      "release[release_day]: is part of no date that exists",
    ]);
    expect(await refused({ title: "x", tracks: [] }, ids)).toEqual([
      422,
      "release[tracks]: must name a track",
    ]);
    expect(await refused({ tracks }, ids)).toEqual([422, "release[title]: is missing"]);
  });

  test("403: a track that was taken down", async () => {
    const [own] = await draftsOf(ana, "Gone");
    await sql("update tracks set taken_down_at = now() where id = $1", [own?.id]);
    const [status] = await refused({ title: "x", tracks: named([own?.id ?? 0]) }, [own?.id ?? 0]);
    expect(status).toBe(403);
  });
});
