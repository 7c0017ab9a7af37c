import { beforeAll, describe, expect, test } from "vitest";
import type { User } from "../../../functions/api/users/representation.ts";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import { UNKNOWN_ID } from "../../lib/http/error-object.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";

let ana: Person;
let ben: Person;
let app: { token: string };

beforeAll(async () => {
  [ana, ben, app] = await Promise.all([createUser(), createUser(), createAppToken()]);
});

const user = async (id: number, who: { token: string } = ben) =>
  (await api.as(who).get<User>(`/users/${id}`)).body;

/** Fields of a user's own profile only. */
const OWN = [
  "quota",
  "locale",
  "upload_seconds_left",
  "private_tracks_count",
  "private_playlists_count",
  "primary_email_confirmed",
  "email",
];

describe("a user", () => {
  test("has every field, with the same values for everybody", async () => {
    const profile = {
      full_name: "Ana Maria Öst",
      country: "DE",
      city: "Köln",
      description: "<b>text</b>",
      discogs_name: "d",
      myspace_name: null,
      website: "https://example.com/",
      website_title: "Home",
    };
    const names = Object.keys(profile);
    await sql(`update users set ${names.map((name, index) => `${name} = $${index + 2}`)} where id = $1`, [
      ana.id,
      ...Object.values(profile),
    ]);
    const body = await user(ana.id);
    expect(body).toEqual({
      ...profile,
      id: ana.id,
      kind: "user",
      urn: `soundcloud:users:${ana.id}`,
      permalink: ana.username,
      username: ana.username,
      uri: `${stack.urls.api}/users/${ana.id}`,
      permalink_url: expect.stringMatching(new RegExp(`^http.+/${ana.username}$`)),
      avatar_url: expect.stringMatching(/-large\.jpg$/),
      first_name: "Ana",
      last_name: "Maria Öst",
      created_at: expect.stringMatching(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$/),
      last_modified: expect.any(String),
      online: false,
      track_count: 0,
      playlist_count: 0,
      followers_count: 0,
      followings_count: 0,
      public_favorites_count: 0,
      likes_count: 0,
      reposts_count: 0,
      comments_count: 0,
      plan: null,
      subscriptions: null,
    });
    expect(await user(ana.id, app)).toEqual(body);
    const { body: me } = await api.as(ana).get<Me>("/me");
    const product = { id: "free", name: "Free" };
    expect(me).toMatchObject({
      ...body,
      online: true,
      plan: "Free",
      subscriptions: [{ product, recurring: false }],
    });
    expect(OWN.filter((name) => name in body)).toEqual([]);
  });

  test("is found by URN, but not by other spellings", async () => {
    expect((await api.as(ben).get<User>(`/users/soundcloud:users:${ana.id}`)).body.id).toBe(ana.id);
    for (const id of [UNKNOWN_ID, "0", "-1", "x", `soundcloud:tracks:${ana.id}`, `${2n ** 63n}`])
      expect((await api.as(ben).get(`/users/${id}`)).status).toBe(404);
    expect((await api.get(`/users/${ana.id}`)).status).toBe(401);
  });

  test("counts public tracks only, failed ones for their owner, and includes pending counts", async () => {
    const cleo = await createUser();
    await createTrack(cleo);
    await createTrack(cleo, { sharing: "private" });
    await createTrack(cleo, { state: "failed" });
    const counters = ["playlist_count", "followers_count", "followings_count", "public_favorites_count"];
    await sql(
      "insert into counter_deltas (kind, subject_id, counter, delta) select 'user', $1, unnest($2::text[]), 3",
      [cleo.id, [...counters, "private_playlists_count"]],
    );
    const counted = { track_count: 1, ...Object.fromEntries(counters.map((name) => [name, 3])) };
    expect(await user(cleo.id)).toMatchObject(counted);
    const own = { ...counted, track_count: 2, private_tracks_count: 1, private_playlists_count: 3 };
    expect((await api.as(cleo).get<Me>("/me")).body).toMatchObject(own);
    await runCron("*/5 * * * *");
    expect((await api.as(cleo).get<Me>("/me")).body).toMatchObject(own);
  });

  test("has an ETag that changes with the user", async () => {
    const cleo = await createUser();
    const path = `/users/${cleo.id}`;
    const first = await api.as(ben).get(path);
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    expect((await api.as(ben).get(path, { headers })).status).toBe(304);
    await sql("update users set city = 'Bonn', updated_at = now() where id = $1", [cleo.id]);
    expect((await api.as(ben).get(path, { headers })).status).toBe(200);
  });

  test("is online for five minutes after a request with their token", async () => {
    const cleo = await createUser();
    const isOnline = async () => (await user(cleo.id)).online;
    expect(await isOnline()).toBe(false);
    expect((await user(cleo.id, cleo)).online).toBe(true);
    await expect.poll(isOnline).toBe(true);
    await sql("update sessions set last_used_at = now() - interval '6 minutes' where user_id = $1", [
      cleo.id,
    ]);
    expect(await isOnline()).toBe(false);
  });

  test("all users with a request in the same second are online", async () => {
    const crowd = await Promise.all([createUser(), createUser(), createUser()]);
    await Promise.all(crowd.map((one) => user(one.id, one)));
    const online = () => Promise.all(crowd.map(async ({ id }) => (await user(id)).online));
    await expect.poll(online).toEqual([true, true, true]);
  });

  test("404: a user who left", async () => {
    const cleo = await createUser();
    await sql("update users set disabled_at = now() where id = $1", [cleo.id]);
    expect((await api.as(ben).get(`/users/${cleo.id}`)).status).toBe(404);
    expect((await api.as(ben).get<User[]>(`/users?ids=${cleo.id}`)).body).toEqual([]);
    expect((await api.as(ben).get<User[]>(`/users?q=${cleo.username}`)).body).toEqual([]);
    for (const path of ["followings", "followers", "web-profiles", `followers/${ana.id}`])
      expect((await api.as(ben).get(`/users/${cleo.id}/${path}`)).status).toBe(404);
  });

  test("404: ids next to a user's own (X72)", async () => {
    for (const id of [ana.id - 1, ana.id + 1]) {
      const [taken] = await sql("select 1 from users where id = $1", [id]);
      const { status, body } = await api.as(app).get<ErrorReply>(`/users/${id}`);
      expect([status, body.errors?.[0]?.error_message]).toEqual(
        taken ? [200, undefined] : [404, "User not found"],
      );
    }
  });
});
