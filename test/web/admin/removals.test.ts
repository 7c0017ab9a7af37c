import { beforeAll, describe, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { createPlaylist, named } from "../../api/playlists/playlists.ts";
import { api } from "../../support/api.ts";
import { createForm, createPng } from "../../support/images.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operatorAt, startCode } from "./admin.support.ts";
import { caseOf } from "./removals.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  [ana, ben] = [await createUser(), await createUser()];
  ({ browser } = await operatorAt(service));
});

const visitor = () => service.open();
const because = { reason: "It breaks <b>the rules</b>" };
const comments = async (id: number, who: Person) =>
  (await api.as(who).get<Comment[]>(`/tracks/${id}/comments`)).body.map((one) => one.id);

async function comment(who: Person, track: number, body: string): Promise<number> {
  const { body: made } = await api
    .as(who)
    .post<Comment>(`/tracks/${track}/comments`, { json: { comment: { body, timestamp: 10 } } });
  return made.id;
}

const remove = async (page: string, action = `${page}/remove`, fields = because) =>
  (await browser.submit(page, action, fields)).location?.pathname ?? "";

describe("a comment", () => {
  test("that an operator removes is nowhere, and back at its place once restored, unannounced", async () => {
    const track = await createPlayableTrack(ana, { permalink: "commented" });
    const [first, second] = [
      await comment(ben, track.id, "First &amp; bad"),
      await comment(ana, track.id, "Fine"),
    ];
    const counts = async () => ({
      list: await comments(track.id, ana),
      count: (await api.as(ana).get<Track>(`/tracks/${track.id}`)).body.comment_count,
      own: (await api.as(ben).get<{ comments_count: number }>("/me")).body.comments_count,
      page: (await visitor().get("web", `/${ana.username}/commented`)).html.includes("First"),
      told: (await api.as(ana).get<{ collection: unknown[] }>("/me/activities/all/own")).body.collection
        .length,
    });
    const before = await counts();
    expect(before).toMatchObject({ list: [second, first], count: 2, page: true, told: 1 });
    const page = `/admin/comments/${first}`;
    expect((await browser.get("web", page)).queries).toBe(1);
    expect((await browser.submit(page, `${page}/remove`, { reason: " " })).status).toBe(422);
    const removal = await remove(page);
    expect(removal).toMatch(/^\/admin\/removals\/\d+$/);
    expect(await counts()).toEqual({ list: [second], count: 1, own: before.own - 1, page: false, told: 0 });
    expect((await api.as(ben).delete(`/tracks/${track.id}/comments/${first}`)).status).toBe(404);
    expect((await browser.get("web", page)).status).toBe(404);
    const shown = await browser.get("web", removal);
    expect([shown.queries, shown.html.includes("<b>the rules")]).toEqual([1, false]);
    const { id } = await caseOf(ben.id);
    expect(await operate("removal show", "--removal", String(id))).toMatchObject({ name: "First & bad" });
    await browser.submit(removal, `${removal}/restore`, { reason: "A mistake" });
    expect(await counts()).toEqual(before);
    const acts = await sql("select act, reason from audit_log where target_id = $1 order by id", [first]);
    expect(acts.map((row) => ({ ...row }))).toEqual([
      { act: "comment.remove", reason: because.reason },
      { act: "comment.restore", reason: "A mistake" },
    ]);
  });

  test("restored within minutes comes no second time to those who poll", async () => {
    const track = await createPlayableTrack(ana);
    const id = await comment(ben, track.id, "Seen once");
    type Activities = { collection: { origin: { id: number } }[]; future_href: string };
    const read = async (path: string) => (await api.as(ana).get<Activities>(path)).body;
    const first = await read("/me/activities/all/own");
    expect(first.collection[0]?.origin.id).toBe(id);
    await remove(`/admin/comments/${id}`);
    const { id: removal } = await caseOf(ben.id);
    await operate("removal restore", "--removal", String(removal), "--reason", "A mistake");
    expect((await read("/me/activities/all/own")).collection[0]?.origin.id).toBe(id);
    const { pathname, search } = new URL(first.future_href);
    expect((await read(pathname + search)).collection).toEqual([]);
  });

  test("is removed after its track is locked, so a deletion of the track meets it at no half-way", async () => {
    const track = await createPlayableTrack(ana);
    const id = await comment(ben, track.id, "Of a track that goes");
    const removing = () => remove(`/admin/comments/${id}`);
    const removed = await askDuring("select from tracks where id = $1 for update", [track.id], removing, [
      "select from comments where id = $1 for update",
      [id],
    ]);
    expect(removed).toBe(`/admin/removals/${(await caseOf(ben.id)).id}`);
  });

  test("of a case that is older than a column returns with the column's default", async () => {
    const track = await createPlayableTrack(ana);
    const id = await comment(ben, track.id, "Of old");
    await remove(`/admin/comments/${id}`);
    const { id: removal } = await caseOf(ben.id);
    // Such as a case of before the column came, and one of a column that has gone since.
    await sql(
      `update removals set comment = comment - 'updated_at' || '{"gone_since": 1}' where comment_id = $1`,
      [id],
    );
    await operate("removal restore", "--removal", String(removal), "--reason", "A mistake");
    expect(await comments(track.id, ana)).toEqual([id]);
  });

  test("removed twice at once has one case; restored twice at once, it is there once", async () => {
    const track = await createPlayableTrack(ana);
    const id = await comment(ben, track.id, "Raced");
    const args = ["--comment", String(id), "--reason", "Spam"];
    const both = await Promise.allSettled([
      operate("comment remove", ...args),
      operate("comment remove", ...args),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const { id: removal } = await caseOf(ben.id);
    const back = ["--removal", String(removal), "--reason", "No"];
    await Promise.allSettled([operate("removal restore", ...back), operate("removal restore", ...back)]);
    expect(await comments(track.id, ana)).toEqual([id]);
  });

  test("goes back to the track that took its track's place, and nowhere if that was deleted", async () => {
    const [old, taker] = [await createPlayableTrack(ana), await createPlayableTrack(ana)];
    const id = await comment(ben, old.id, "Moves");
    await operate("comment remove", "--comment", String(id), "--reason", "Spam");
    const { id: removal } = await caseOf(ben.id);
    const put = await api.as(ana).post(`/tracks/${taker.id}/supersede`, { json: { superseded_id: old.id } });
    expect(put.status).toBeLessThan(300);
    await operate("removal restore", "--removal", String(removal), "--reason", "No");
    expect(await comments(taker.id, ana)).toEqual([id]);
    await operate("comment remove", "--comment", String(id), "--reason", "Spam");
    await api.as(ana).delete(`/tracks/${taker.id}`);
    const again = await sql("select id from removals where comment_id = $1 and restored_at is null", [id]);
    expect(again).toEqual([]);
  });
});

describe("a set", () => {
  test("that was removed opens to its owner alone, not by its secret, and cannot be shown again by its owner", async () => {
    const track = await createPlayableTrack(ana);
    const { id } = await createPlaylist(ana, {
      title: "Bad set",
      sharing: "public",
      tracks: named([track.id]),
    });
    const { body: set } = await api.as(ana).get<Playlist>(`/playlists/${id}`);
    const path = new URL(set.permalink_url).pathname;
    const opened = `/playlists/${id}?secret_token=${set.secret_token}`;
    await api.as(ben).post(`/likes/playlists/${id}`);
    const places = async () => ({
      api: (await api.as(ben).get(`/playlists/${id}`)).status,
      secret: (await api.as(ben).get(opened)).status,
      page: (await visitor().get("web", path)).status,
      list: (await api.as(ben).get<Playlist[]>(`/users/${ana.id}/playlists`)).body.map((one) => one.id),
      liked: (await api.as(ben).get<Playlist[]>("/me/likes/playlists")).body.map((one) => one.id),
      found: (await api.as(ben).get<Playlist[]>(`/playlists?q=${encodeURIComponent("Bad set")}`)).body.some(
        (one) => one.id === id,
      ),
      member: (await api.as(ben).get(`/tracks/${track.id}`)).status,
    });
    const before = await places();
    expect(before).toMatchObject({ api: 200, secret: 200, page: 200, liked: [id], found: true, member: 200 });
    const removal = await remove(`/admin/sets/${id}`);
    expect(await places()).toEqual({
      api: 404,
      secret: 404,
      page: 404,
      list: [],
      liked: [],
      found: false,
      member: 200,
    });
    const own = await api.as(ana).get<Playlist>(`/playlists/${id}`);
    expect([own.status, own.body.sharing]).toEqual([200, "private"]);
    for (const playlist of [
      { sharing: "public" },
      { publish_at: new Date(Date.now() + 3_600_000).toISOString() },
    ])
      expect((await api.as(ana).put(`/playlists/${id}`, { json: { playlist } })).status).toBe(403);
    expect((await api.as(ana).put(`/playlists/${id}/secret-token`)).status).toBe(403);
    expect(
      (await api.as(ana).put(`/playlists/${id}`, { json: { playlist: { genre: "Quiet" } } })).status,
    ).toBe(200);
    const owner = await service.enter(ana);
    expect((await owner.get("web", path)).html).toContain("This set was removed");
    await browser.submit(removal, `${removal}/restore`, { reason: "Sorry" });
    expect(await places()).toEqual(before);
  });

  test("that its owner makes private meanwhile stays so", async () => {
    const { id } = await createPlaylist(ana, { title: "Hidden", sharing: "public" });
    const { id: removal } = await operate<{ id: number }>(
      "set remove",
      "--set",
      String(id),
      "--reason",
      "Spam",
    );
    await api.as(ana).put(`/playlists/${id}`, { json: { playlist: { sharing: "private" } } });
    await operate("removal restore", "--removal", String(removal), "--reason", "No");
    expect((await api.as(ben).get(`/playlists/${id}`)).status).toBe(404);
  });
});

describe("a picture", () => {
  const cover = async (colour: "track" | "playlist", id: number) => {
    const form = createForm({ [`${colour}[artwork_data]`]: await createPng(120, 120) });
    return (await api.as(ana).put<Track>(`/${colour}s/${id}`, form)).body.artwork_url ?? "";
  };

  test("goes from the track, is restored, and never in place of another that the owner has chosen", async () => {
    const track = await createPlayableTrack(ana);
    const picture = await cover("track", track.id);
    const shown = async () => (await api.as(ben).get<Track>(`/tracks/${track.id}`)).body.artwork_url;
    const colors = () => sql("select artwork_colors from tracks where id = $1", [track.id]);
    const before = await colors();
    const page = `/admin/tracks/${track.id}`;
    const action = `/admin/pictures/track/${track.id}/remove`;
    const removal = await remove(page, action);
    expect(await shown()).toBeNull();
    await browser.submit(removal, `${removal}/restore`, { reason: "No" });
    expect([await shown(), await colors()]).toEqual([picture, before]);
    const seen = await browser.get("web", page);
    const chosen = await cover("track", track.id);
    // The page still names the earlier picture.
    const late = await browser.post("web", action, { ...fieldsIn(seen.html, action), ...because });
    expect([late.status, await shown()]).toEqual([409, chosen]);
    const second = await remove(page, action);
    const third = await cover("track", track.id);
    expect((await browser.submit(second, `${second}/restore`, { reason: "No" })).status).toBe(409);
    expect(await shown()).toBe(third);
  });

  test("of a set and of a user goes, too, and is found by its address", async () => {
    const { id } = await createPlaylist(ana, { title: "Covered", sharing: "public" });
    const picture = await cover("playlist", id);
    const found = await browser.get("web", `/admin/find?${new URLSearchParams({ q: picture })}`);
    expect(found.location?.pathname).toBe(`/admin/sets/${id}`);
    await operate("picture remove", "--set", String(id), "--reason", "Stolen");
    expect((await api.as(ben).get<Playlist>(`/playlists/${id}`)).body.artwork_url).toBeNull();
    await expect(operate("picture remove", "--set", String(id), "--reason", "Stolen")).rejects.toThrow(
      "no picture",
    );
    const avatar = createForm({ "user[avatar_data]": await createPng(120, 120) });
    await api.as(ben).put("/me", avatar);
    await operate("picture remove", "--user", ben.username, "--reason", "Stolen");
    expect((await api.as(ben).get<{ avatar_url: string }>("/me")).body.avatar_url).toContain(
      "avatar-default",
    );
  });

  test("is kept for restoring while its case stands, and goes with its owner", async () => {
    const cho = await createUser();
    await api.as(cho).put("/me", createForm({ "user[avatar_data]": await createPng(120, 120) }));
    const version = /images\/([0-9a-f]{32})/.exec(
      (await api.as(cho).get<{ avatar_url: string }>("/me")).body.avatar_url,
    )?.[1];
    await operate("picture remove", "--user", cho.username, "--reason", "Stolen");
    const garbage = async () =>
      (await sql("select prefix from object_garbage where prefix = $1", [`images/${version}/`])).length;
    expect(await garbage()).toBe(0);
    await sql("delete from users where id = $1", [cho.id]);
    expect(await garbage()).toBe(1);
  });
});

test("none of these pages and acts is there for strangers, nor for an operator without the second factor", async () => {
  const track = await createPlayableTrack(ana);
  const id = await comment(ben, track.id, "Stays");
  const stranger = await service.enter(ben);
  const operator = await createUser();
  await startCode(operator);
  const half = await service.enter(operator);
  for (const path of [`/admin/comments/${id}`, "/admin/removals", "/admin/find?q=x", "/admin/sets/1"]) {
    expect([path, (await stranger.get("web", path)).status]).toEqual([path, 404]);
    expect([path, (await half.get("web", path)).location?.pathname]).toEqual([path, "/admin/enter"]);
  }
  for (const path of [
    `/admin/comments/${id}/remove`,
    "/admin/removals/1/restore",
    "/admin/removals/1/uphold",
  ]) {
    expect([path, (await stranger.post("web", path, because)).status]).toEqual([path, 404]);
    expect([path, (await half.post("web", path, because)).status]).toEqual([path, 403]);
  }
  expect(await comments(track.id, ana)).toEqual([id]);
});
