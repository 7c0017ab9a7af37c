import { beforeAll, describe, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack, workerLog } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { playable } from "../media/media-files.ts";
import {
  by,
  expectPlays,
  firstSegment,
  from,
  letPass,
  linksOf,
  markOf,
  playsOf,
  rolledUp,
} from "./plays.support.ts";

let owner: Person;
let fan: Person;

beforeAll(async () => {
  [owner, fan] = await Promise.all([createUser(), createUser()]);
});

const play = (who: { token: string }, id: number, query = "") =>
  api.as(who).post<{ status?: string }>(`/tracks/${id}/plays${query}`);

describe("a play reported by a client", () => {
  test("counts once per listener in 30 minutes, however often it is reported (X97)", async () => {
    const { id } = await createPlayableTrack(owner);
    const { status, body } = await play(fan, id);
    expect([status, body]).toEqual([200, { status: "200 - OK" }]);
    for (const minutes of [0, 14, 15]) {
      await letPass(minutes, id, by(fan));
      await play(fan, id);
      expect(await playsOf(owner, id)).toBe(1);
    }
    await letPass(1, id, by(fan));
    await play(fan, id);
    expect(await playsOf(owner, id)).toBe(2);
    // The window continues from the last counted play.
    await letPass(29, id, by(fan));
    await play(fan, id);
    expect(await playsOf(owner, id)).toBe(2);
  });

  test("counts three for twenty concurrent reports of each of three listeners, before and after the roll-up (X97)", async () => {
    const { id } = await createPlayableTrack(owner);
    const listeners = [fan, await createUser(), owner];
    const storm = listeners.flatMap((who) => Array.from({ length: 20 }, () => play(who, id)));
    for (const { status } of await Promise.all(storm)) expect(status).toBe(200);
    expect(await playsOf(owner, id)).toBe(3);
    await rolledUp(id);
    expect(await playsOf(owner, id)).toBe(3);
    const [row] = await sql("select playback_count::int as plays from tracks where id = $1", [id]);
    expect(row).toEqual({ plays: 3 });
  });

  test("races the track's deletion without a deadlock", async () => {
    const { id } = await createPlayableTrack(owner);
    const listeners = await Promise.all(Array.from({ length: 6 }, () => createUser()));
    const storm = [...listeners, ...listeners].map((who) => play(who, id));
    const deleted = api.as(owner).delete(`/tracks/${id}`);
    for (const { status } of await Promise.all(storm)) expect([200, 404]).toContain(status);
    expect((await deleted).status).toBe(200);
    expect(await sql("select 1 from recent_plays where track_id = $1", [id])).toEqual([]);
  });

  test("requires the same permission as streaming", async () => {
    const hidden = await createPlayableTrack(owner, { sharing: "private" });
    const blocked = await createPlayableTrack(owner, { streamable: false });
    const secret = `?secret_token=${hidden.secret}`;
    expect((await play(fan, hidden.id)).status).toBe(404);
    expect((await play(fan, hidden.id, secret)).status).toBe(200);
    expect((await play(await createAppToken(), hidden.id, secret)).status).toBe(401);
    expect((await play(fan, blocked.id)).status).toBe(403);
    expect((await play(owner, blocked.id)).status).toBe(200);
    expect((await play(fan, 1)).status).toBe(404);
    expect([await playsOf(owner, hidden.id), await playsOf(owner, blocked.id)]).toEqual([1, 1]);
  });

  test("counts for a preview", async () => {
    const { id } = await createPlayableTrack(owner, { paywall: "preview" });
    await play(fan, id);
    expect(await playsOf(owner, id)).toBe(1);
  });

  test("by an older client needs only the client id, which still writes nothing else", async () => {
    const { id } = await createPlayableTrack(owner);
    const asked = (path: string) =>
      fetch(`${stack.urls.api}${path}?client_id=${owner.app.client_id}&secret_token=`, { method: "POST" });
    expect((await asked(`/tracks/${id}/plays`)).status).toBe(200);
    expect((await asked(`/tracks/${id}/plays`)).status).toBe(200);
    expect(await playsOf(owner, id)).toBe(1);
    expect((await asked(`/tracks/${id}/comments`)).status).toBe(401);
    const stranger = `${stack.urls.api}/tracks/${id}/plays?client_id=nobody`;
    expect((await fetch(stranger, { method: "POST" })).status).toBe(401);
  });

  test("by an app without a user counts per address, and per network for IPv6", async () => {
    const { id } = await createPlayableTrack(owner);
    const { token } = await createAppToken();
    const headers = { Authorization: `OAuth ${token}`, "X-Forwarded-For": "198.51.100.9" };
    const addresses = [
      "203.0.113.1",
      "203.0.113.1",
      "203.0.113.2",
      "2001:db8:1:2::1",
      "2001:db8:1:2:ffff::9",
      "2001:db8:1:3::1",
    ];
    for (const address of addresses)
      await from(address, `${stack.urls.api}/tracks/${id}/plays`, { method: "POST", headers });
    expect(await playsOf(owner, id)).toBe(4);
    // X91: no address is stored or logged.
    const stored = await sql<{ row: string }>("select m::text as row from play_marks m");
    const logged = workerLog().map((line) => ({ row: JSON.stringify(line) }));
    const telling = [...stored, ...logged].filter(({ row }) => /203\.0\.113|2001:db8/.test(row));
    expect([logged.length > 0, telling]).toEqual([true, []]);
  });
});

describe("a stream", () => {
  test("counts with its first segment or byte, together with the client's report", async () => {
    const { id } = await playable(owner);
    const links = await linksOf(fan, id);
    await fetch(firstSegment(links));
    await expectPlays(owner, id, 1);
    for (const url of [firstSegment(links), links.http_mp3_128_url, links.preview_mp3_128_url])
      await fetch(url);
    await play(fan, id);
    await fetch(new URL("160/0.m4s", links.hls_aac_160_url));
    // Anyone with a user's link plays as that user.
    await from("203.0.113.77", firstSegment(links));
    const other = await createUser();
    await fetch((await linksOf(other, id)).http_mp3_128_url);
    await expectPlays(owner, id, 2);
    await letPass(30, id, by(fan));
    await play(fan, id);
    expect(await playsOf(owner, id)).toBe(3);
  });

  test.each(["http_mp3_128_url", "preview_mp3_128_url"] as const)("counts at %s", async (name) => {
    const { id } = await playable(owner);
    await fetch((await linksOf(fan, id))[name]);
    await expectPlays(owner, id, 1);
  });

  test("counts with the first segment of the MP3's playlist only", async () => {
    const { id } = await playable(owner);
    const { hls_mp3_128_url } = await linksOf(fan, id);
    const segment = new URL("audio/0.mp3", hls_mp3_128_url);
    expect((await fetch(hls_mp3_128_url)).status).toBe(200);
    expect((await fetch(segment, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(segment, { headers: { Range: "bytes=1-" } })).status).toBe(206);
    // The queue counts earlier messages first.
    await fetch(firstSegment(await linksOf(await createUser(), id)));
    await expectPlays(owner, id, 1);
    await fetch(segment);
    await expectPlays(owner, id, 2);
  });

  test("counts when a range begins at the first byte", async () => {
    const { id } = await playable(owner);
    const { http_mp3_128_url } = await linksOf(fan, id);
    expect((await fetch(http_mp3_128_url, { headers: { Range: "bytes=0-1" } })).status).toBe(206);
    await expectPlays(owner, id, 1);
  });

  test("counts neither for HEAD nor for a later range", async () => {
    const { id } = await playable(owner);
    const links = await linksOf(fan, id);
    const { hls_aac_160_url, hls_aac_96_url, http_mp3_128_url, preview_mp3_128_url } = links;
    for (const url of [hls_aac_160_url, hls_aac_96_url, new URL("init.mp4", hls_aac_96_url)])
      expect((await fetch(url)).status).toBe(200);
    for (const url of [firstSegment(links), http_mp3_128_url, preview_mp3_128_url]) {
      expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
      expect((await fetch(url, { headers: { Range: "bytes=1-" } })).status).toBe(206);
      expect((await fetch(url, { headers: { Range: "bytes=-5" } })).status).toBe(206);
      expect((await fetch(url, { headers: { Range: "bytes=9999999-" } })).status).toBe(416);
    }
    expect((await fetch(new URL("1.m4s", hls_aac_96_url))).status).toBe(404);
    // The queue counts earlier messages first.
    const other = await createUser();
    await fetch(firstSegment(await linksOf(other, id)));
    await expectPlays(owner, id, 1);
    expect(await sql("select 1 from play_marks where mark = $1", [markOf(id, by(fan))])).toEqual([]);
  });

  test("counts for a private track with its secret, until that is replaced", async () => {
    const { id, secret } = await playable(owner, { sharing: "private" });
    const url = firstSegment(await linksOf(fan, id, `?secret_token=${secret}`));
    const other = firstSegment(await linksOf(await createUser(), id, `?secret_token=${secret}`));
    await fetch(url);
    await expectPlays(owner, id, 1);
    await api.as(owner).put(`/tracks/${id}/secret-token`);
    expect((await fetch(other)).status).toBe(404);
    await fetch(firstSegment(await linksOf(owner, id)));
    await expectPlays(owner, id, 2);
  });

  test("without a user counts by address, like reports, for any number of apps together", async () => {
    const { id } = await playable(owner);
    const apps = await Promise.all(Array.from({ length: 3 }, () => createAppToken()));
    for (const app of apps) await from("203.0.113.5", firstSegment(await linksOf(app, id)));
    await expectPlays(owner, id, 1);
    const report = (address: string, { token }: { token: string }) =>
      from(address, `${stack.urls.api}/tracks/${id}/plays`, {
        method: "POST",
        headers: { Authorization: `OAuth ${token}` },
      });
    for (const app of apps) await report("203.0.113.5", app);
    expect(await playsOf(owner, id)).toBe(1);
    for (const app of apps) await report("203.0.113.6", app);
    expect(await playsOf(owner, id)).toBe(2);
  });
});
