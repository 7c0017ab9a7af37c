import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { listed, uniqueWord } from "../tracks/lists.support.ts";

const word = uniqueWord();

let owner: Person;
let fan: Person;
/** Tracks of the owner, the first of which was taken down. */
let tracks: number[];

beforeAll(async () => {
  [owner, fan] = await Promise.all([createUser(), createUser()]);
  tracks = [];
  for (const columns of [{}, { streamable: false }, { sharing: "private", paywall: "blocked" }]) {
    const { id } = await createPlayableTrack(owner, { title: word, genre: word, ...columns });
    for (const kind of ["likes", "reposts"]) await api.as(owner).post(`/${kind}/tracks/${id}`);
    tracks.push(id);
  }
  await operate("track take-down", "--track", String(tracks[0]), "--reason", "Somebody else wrote it");
});

const paths = () =>
  [
    ["/me/tracks", {}],
    [`/users/${owner.id}/tracks`, {}],
    [`/users/${owner.id}/tracks`, { q: word }],
    ["/tracks", { q: word }],
    ["/tracks", { q: word, sort: "created_at" }],
    ["/tracks", { genres: word, filter: "private" }],
    ["/tracks", { ids: tracks.join() }],
    ["/me/likes/tracks", {}],
    ["/me/likes/tracks", { q: word }],
    [`/users/${owner.id}/favorites`, { genres: word }],
    [`/users/${owner.id}/reposts/tracks`, {}],
    [`/users/${owner.id}/reposts/tracks`, { q: word }],
    [`/tracks/${tracks[1]}/related`, {}],
  ] as const;

test("an owner's track that was taken down is listed among the blocked ones, to the owner alone", async () => {
  const [down = 0] = tracks;
  for (const [path, filter] of paths()) {
    for (const access of ["blocked", "blocked,preview"])
      expect([path, filter, await listed(owner, { ...filter, access }, path)]).toEqual([
        path,
        filter,
        [down],
      ]);
    const all = await listed(owner, { ...filter, access: "playable,preview,blocked" }, path);
    expect([path, filter, all]).toEqual([path, filter, await listed(owner, filter, path)]);
    for (const access of ["playable", "playable,preview", "preview"])
      expect(await listed(owner, { ...filter, access }, path)).not.toContain(down);
    if (!path.startsWith("/me"))
      expect(await listed(fan, { ...filter, access: "blocked,preview" }, path)).not.toContain(down);
  }
});

test("a list of blocked tracks has those that its reader cannot hear, not the owner's", async () => {
  const [, unstreamable] = tracks;
  for (const filter of [{ q: word }, { genres: word }, { ids: tracks.join() }]) {
    expect(await listed(fan, { ...filter, access: "blocked" })).toEqual([unstreamable]);
    expect(await listed(owner, { ...filter, access: "blocked" })).not.toContain(unstreamable);
  }
});
