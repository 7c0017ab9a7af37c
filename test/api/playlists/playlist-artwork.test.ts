import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { isGarbage } from "../../encoding/sweep.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createForm, createPng, SVG } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlaylist, playlistOf } from "./playlists.ts";

let ana: Person;
beforeAll(async () => {
  ana = await createUser();
});

const ARTWORK = "playlist[artwork_data]";

const becameGarbage = (url: string | null) =>
  isGarbage("media", `images/${/images\/([0-9a-f]+)-/.exec(url ?? "")?.[1]}/`);

test("a playlist's artwork is created, replaced, removed by null, and becomes garbage once unused", async () => {
  const picture = await createPng(300, 200);
  const form = createForm({ "playlist[title]": "Covered", [ARTWORK]: picture });
  const { status, body: made } = await api.as(ana).post<Playlist>("/playlists", form);
  expect([status, made.title]).toEqual([201, "Covered"]);
  const shown = await fetch((made.artwork_url ?? "").replace("large", "t500x500"));
  expect([shown.status, shown.headers.get("Content-Type")]).toEqual([200, "image/jpeg"]);
  expect(await becameGarbage(made.artwork_url)).toBe(false);

  const changed = await api
    .as(ana)
    .put<Playlist>(`/playlists/${made.id}`, createForm({ [ARTWORK]: picture }));
  expect(changed.body.artwork_url).not.toBe(made.artwork_url);
  expect([await becameGarbage(made.artwork_url), await becameGarbage(changed.body.artwork_url)]).toEqual([
    true,
    false,
  ]);

  const json = { playlist: { artwork_data: null } };
  expect((await api.as(ana).put<Playlist>(`/playlists/${made.id}`, { json })).body.artwork_url).toBeNull();
  expect(await becameGarbage(changed.body.artwork_url)).toBe(true);
});

test("a file that is no picture is refused, and nothing is changed", async () => {
  const made = await createPlaylist(ana);
  const fields = { "playlist[title]": "Never", [ARTWORK]: SVG };
  const refused = await api.as(ana).put<ErrorReply>(`/playlists/${made.id}`, createForm(fields));
  expect([refused.status, refused.body.errors[0]?.error_message]).toEqual([
    422,
    expect.stringContaining(ARTWORK),
  ]);
  expect(await playlistOf(ana, made.id)).toEqual(made);
  const json = { playlist: { title: "x", artwork_data: "abc" } };
  expect((await api.as(ana).post("/playlists", { json })).status).toBe(422);
});
