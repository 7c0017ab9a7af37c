import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import {
  accept,
  artistsSeenBy,
  createCreditedTrack,
  credit,
  creditsOf,
  decline,
  linkOf,
} from "./credits.support.ts";

let owner: Person;
let ben: Person;
let other: Person;

beforeAll(async () => {
  [owner, ben, other] = await Promise.all([createUser(), createUser(), createUser()]);
});

describe("a named user", () => {
  test("is linked once they accept, and no more once they withdraw", async () => {
    const track = await createCreditedTrack(owner, [ben]);
    expect(await linkOf(other, track)).toBeNull();
    expect(await artistsSeenBy(owner, track)).toMatchObject([{ user_id: ben.id, state: "pending" }]);
    const [asked] = await creditsOf(ben, "?state=pending");
    expect(asked).toMatchObject({
      state: "pending",
      roles: [{ name: `${ben.username} on record`, role: "producer" }],
      track: { id: track.id },
    });

    expect((await accept(ben, track)).status).toBe(200);
    expect(await artistsSeenBy(other, track)).toEqual([
      expect.objectContaining({ user_id: ben.id, user: expect.objectContaining({ username: ben.username }) }),
    ]);
    expect((await artistsSeenBy(other, track))[0]).not.toHaveProperty("state");
    const listed = await api.as(other).get<Track[]>(`/users/${ben.id}/credits?ids=${track.id}`);
    expect(listed.body.map(({ id }) => id)).toEqual([track.id]);

    expect((await decline(ben, track)).status).toBe(200);
    expect(await linkOf(other, track)).toBeNull();
    expect((await artistsSeenBy(other, track))[0]?.name).toBe(`${ben.username} on record`);
    const now = await api.as(other).get<Track[]>(`/users/${ben.id}/credits?ids=${track.id}`);
    expect(now.body).toEqual([]);
  });

  test("who declined is not asked again, whatever the owner writes, and may accept later", async () => {
    const track = await createCreditedTrack(owner, [ben]);
    await decline(ben, track);
    await credit(owner, track, []);
    await credit(owner, track, [{ name: "Ben", role: "remixer", user_id: ben.id }]);
    expect((await creditsOf(ben, "?state=pending")).map((one) => one.track.id)).not.toContain(track.id);
    expect(await artistsSeenBy(owner, track)).toMatchObject([{ state: "declined" }]);
    await accept(ben, track);
    expect(await linkOf(other, track)).toBe(ben.id);
  });

  test("is asked again for another role, and not for one less", async () => {
    const track = await createPlayableTrack(owner);
    const [producer, remixer] = ["producer", "remixer"].map((role) => ({
      name: "Ben",
      role,
      user_id: ben.id,
    }));
    await credit(owner, track, [producer, remixer]);
    await accept(ben, track);
    await credit(owner, track, [remixer]);
    expect(await linkOf(other, track)).toBe(ben.id);
    await credit(owner, track, [producer]);
    expect(await linkOf(other, track)).toBeNull();
    expect(await artistsSeenBy(owner, track)).toMatchObject([{ state: "pending" }]);
  });

  test("is the owner without being asked", async () => {
    const track = await createCreditedTrack(owner, [owner]);
    expect(await linkOf(other, track)).toBe(owner.id);
    expect(await artistsSeenBy(owner, track)).toMatchObject([{ state: "accepted" }]);
    expect((await creditsOf(owner)).map((one) => one.track.id)).not.toContain(track.id);
  });

  test("does not learn of a private track before it is public", async () => {
    const track = await createCreditedTrack(owner, [ben], { sharing: "private" });
    expect((await creditsOf(ben)).map((one) => one.track.id)).not.toContain(track.id);
    expect((await accept(ben, track)).status).toBe(404);
    expect((await decline(ben, track)).status).toBe(404);
    // Questions of the meantime stand below it.
    await createCreditedTrack(owner, [ben]);
    await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { sharing: "public" } } });
    expect((await creditsOf(ben))[0]?.track.id).toBe(track.id);
  });

  test("withdraws although the track was closed since, and others do not see it there", async () => {
    const track = await createCreditedTrack(owner, [ben]);
    await accept(ben, track);
    await api.as(owner).put(`/tracks/${track.id}`, { json: { track: { sharing: "private" } } });
    const listed = await api.as(other).get<Track[]>(`/users/${ben.id}/credits`);
    expect(listed.body.map(({ id }) => id)).not.toContain(track.id);
    expect((await decline(ben, track)).status).toBe(200);
    expect((await accept(ben, track)).status).toBe(404);
  });

  test("404: a track that does not name the caller, or no more", async () => {
    const track = await createCreditedTrack(owner, [ben]);
    expect((await accept(other, track)).status).toBe(404);
    await credit(owner, track, []);
    expect((await accept(ben, track)).status).toBe(404);
  });

  test("who was suspended or is gone leaves the name without a link", async () => {
    const [leaver, gone] = await Promise.all([createUser(), createUser()]);
    const track = await createCreditedTrack(owner, [leaver, gone]);
    await Promise.all([accept(leaver, track), accept(gone, track)]);
    await sql("update users set disabled_at = now() where id = $1", [leaver.id]);
    await sql("delete from users where id = $1", [gone.id]);
    expect(await artistsSeenBy(other, track)).toEqual(
      [leaver, gone].map(({ username }) => ({
        name: `${username} on record`,
        role: "producer",
        user_id: null,
        user: null,
      })),
    );
  });
});

test("who is suspended while the owner saves what the page shows is linked again afterwards, without being asked", async () => {
  const artist = await createUser();
  const track = await createCreditedTrack(owner, [artist]);
  await accept(artist, track);
  await operate("user suspend", "--user", artist.username, "--reason", "Spam");
  const asRead = await artistsSeenBy(owner, track);
  expect(asRead).toMatchObject([{ user_id: null, user: null }]);
  expect((await credit(owner, track, asRead)).body.artists).toEqual(asRead);
  await operate("user restore", "--user", artist.username);
  expect(await linkOf(other, track)).toBe(artist.id);

  await operate("user suspend", "--user", artist.username, "--reason", "Spam");
  await credit(owner, track, [{ ...asRead[0], role: "remixer" }]);
  await operate("user restore", "--user", artist.username);
  expect(await linkOf(owner, track)).toBeNull();
});
