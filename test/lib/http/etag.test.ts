import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";

let ana: Person;
let bo: Person;

beforeAll(async () => {
  [ana, bo] = await Promise.all([createUser(), createUser()]);
});

const tagOf = async (path: string, who: Person = ana) =>
  (await api.as(who).get(path)).headers.get("ETag") ?? "";

const askedWith = async (path: string, tag: string, who: Person = ana) =>
  api.as(who).get<unknown>(path, { headers: { "If-None-Match": tag } });

describe("an ETag", () => {
  test("is part of each single resource's reply", async () => {
    const track = await createPlayableTrack(ana);
    for (const path of [`/tracks/${track.id}`, "/me", `/apps/${ana.app.id}`]) {
      const reply = await api.as(ana).get(path);
      expect(reply.headers.get("ETag")).toMatch(/^"([0-9a-z]+\.)?[\w-]{16}"$/);
      expect(reply.headers.get("Cache-Control")).toBe("private, max-age=0, must-revalidate, no-transform");
      expect(reply.headers.get("ETag")).toBe(await tagOf(path));
    }
    expect((await api.as(ana).get("/tracks/1")).headers.has("ETag")).toBe(false);
    expect((await api.as(ana).get("/me/tracks")).headers.has("ETag")).toBe(false);
  });

  test("that matches gets 304 without a body", async () => {
    const { id } = await createPlayableTrack(ana);
    const path = `/tracks/${id}`;
    const tag = await tagOf(path);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`, `W/"other",${tag} , "x"`, "*", " * "]) {
      const reply = await askedWith(path, given);
      expect([given, reply.status, reply.body]).toEqual([given, 304, ""]);
      expect(reply.headers.get("ETag")).toBe(tag);
      expect(reply.headers.get("Cache-Control")).toContain("private");
      expect(reply.headers.get("Vary")).toContain("Authorization");
      expect(reply.headers.has("Content-Type")).toBe(false);
      expect(reply.headers.get("X-Request-Id")).toBeTruthy();
    }
  });

  test.each(["", '"other"', "W/", '"', "garbage", '"a', "w/*", ",,,", '"*"'])(
    "that does not match, or is malformed, gets the resource: %j",
    async (given) => {
      expect((await askedWith("/me", given)).status).toBe(200);
    },
  );

  test("without quotes is malformed", async () => {
    expect((await askedWith("/me", (await tagOf("/me")).replaceAll('"', ""))).status).toBe(200);
  });

  test("differs between viewers who see the resource differently", async () => {
    const { id } = await createPlayableTrack(ana);
    const path = `/tracks/${id}`;
    const [anas, bos] = [await tagOf(path), await tagOf(path, bo)];
    expect(anas).not.toBe(bos);
    expect((await askedWith(path, anas, bo)).status).toBe(200);
  });

  test("changes with every part of the resource, including counters", async () => {
    const { id } = await createPlayableTrack(ana);
    const path = `/tracks/${id}`;
    const seen = new Set([await tagOf(path)]);
    for (const change of [
      "title = 'Another'",
      "playback_count = 1",
      "sharing = 'private'",
      "updated_at = updated_at + interval '1 microsecond'",
    ]) {
      await sql(`update tracks set ${change} where id = $1`, [id]);
      seen.add(await tagOf(path));
    }
    expect(seen.size).toBe(5);
  });

  test("reveals nothing of a resource to those who may not see it", async () => {
    const { id } = await createPlayableTrack(ana, { sharing: "private" });
    const tag = await tagOf(`/tracks/${id}`);
    for (const given of [tag, "*"]) {
      expect((await askedWith(`/tracks/${id}`, given, bo)).status).toBe(404);
      const anonymous = await api.get(`/tracks/${id}`, { headers: { "If-None-Match": given } });
      expect(anonymous.status).toBe(401);
    }
  });

  test("differs between JSON, XML and JSONP, and matches its own format only", async () => {
    const { id } = await createPlayableTrack(ana);
    const named = `client_id=${ana.app.client_id}`;
    const paths = [
      `/tracks/${id}?${named}`,
      `/tracks/${id}.xml?${named}`,
      `/tracks/${id}.json?callback=f&${named}`,
    ];
    const tags: string[] = [];
    for (const path of paths) tags.push((await api.get<unknown>(path)).headers.get("ETag") ?? "");
    expect(tags).not.toContain("");
    expect(new Set(tags).size).toBe(3);
    for (const path of paths)
      for (const tag of tags) {
        const { status } = await api.get<unknown>(path, { headers: { "If-None-Match": tag } });
        expect([path, tag, status]).toEqual([
          path,
          tag,
          tags.indexOf(tag) === paths.indexOf(path) ? 304 : 200,
        ]);
      }
  });

  test("is the same for HEAD", async () => {
    const tag = await tagOf("/me");
    const asked = (more = {}) =>
      fetch(`${stack.urls.api}/me`, {
        method: "HEAD",
        headers: { Authorization: `OAuth ${ana.token}`, ...more },
      });
    expect((await asked()).headers.get("ETag")).toBe(tag);
    expect((await asked({ "If-None-Match": tag })).status).toBe(304);
  });
});

describe("If-Match on a track", () => {
  const change = (id: number, title: string, tag?: string, who: Person = ana) =>
    api.as(who).put<Track & ErrorReply>(`/tracks/${id}`, {
      json: { track: { title } },
      headers: tag === undefined ? {} : { "If-Match": tag },
    });

  const remove = (id: number, tag: string) =>
    api.as(ana).delete<ErrorReply>(`/tracks/${id}`, { headers: { "If-Match": tag } });

  test("lets a write through if the track is unchanged, and refuses it otherwise", async () => {
    const { id } = await createPlayableTrack(ana);
    const first = await tagOf(`/tracks/${id}`);
    expect((await change(id, "One", first)).body.title).toBe("One");
    const refused = await change(id, "Two", first);
    expect(refused.status).toBe(412);
    expect(refused.body.errors[0]?.error_message).toContain("If-Match");
    const second = await tagOf(`/tracks/${id}`);
    expect(second).not.toBe(first);
    expect((await change(id, "Three", `"other", ${first},${second}`)).body.title).toBe("Three");
    expect((await remove(id, second)).status).toBe(412);
    expect((await api.as(ana).get<Track>(`/tracks/${id}`)).body.title).toBe("Three");
    expect((await remove(id, await tagOf(`/tracks/${id}`))).status).toBe(200);
  });

  test("lets one of many concurrent writers through", async () => {
    const { id } = await createPlayableTrack(ana);
    const tag = await tagOf(`/tracks/${id}`);
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => change(id, `Writer ${n}`, tag)));
    const won = replies.filter(({ status }) => status === 200);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
    expect((await api.as(ana).get<Track>(`/tracks/${id}`)).body.title).toBe(won[0]?.body.title);
  });

  test("ignores plays and comments, which a PUT does not write", async () => {
    const { id } = await createPlayableTrack(ana);
    const tag = await tagOf(`/tracks/${id}`);
    await sql("update tracks set playback_count = playback_count + 1 where id = $1", [id]);
    expect((await change(id, "Played", tag)).status).toBe(200);
  });

  test("notices a change of one microsecond", async () => {
    const { id } = await createPlayableTrack(ana);
    for (const fraction of ["000000", "000001", "999999", "123000", "100000"]) {
      await sql("update tracks set updated_at = $2 where id = $1", [
        id,
        `2026-01-01 00:00:00.${fraction}+00`,
      ]);
      const tag = await tagOf(`/tracks/${id}`);
      await sql("update tracks set updated_at = updated_at + interval '1 microsecond' where id = $1", [id]);
      expect((await change(id, "Late", tag)).status).toBe(412);
      await sql("update tracks set updated_at = updated_at - interval '1 microsecond' where id = $1", [id]);
      expect((await change(id, `At ${fraction}`, tag)).status).toBe(200);
    }
  });

  test("compares strongly: weak and malformed tags never match; * always does", async () => {
    const { id } = await createPlayableTrack(ana);
    const tag = await tagOf(`/tracks/${id}`);
    for (const given of [
      `W/${tag}`,
      tag.replaceAll('"', ""),
      '""',
      '"zzzzzzzzzzz.x"',
      "W/*",
      `"${"z".repeat(200)}.x"`,
    ])
      expect([given, (await change(id, "No", given)).status]).toEqual([given, 412]);
    expect((await change(id, "Any", "*")).status).toBe(200);
    expect((await change(id, "None")).status).toBe(200);
  });

  test("follows the permission check: another user's track is 403, an invisible one 404, invalid input 422", async () => {
    const open = await createPlayableTrack(ana);
    const hidden = await createPlayableTrack(ana, { sharing: "private" });
    const tag = '"0000000000.0"';
    expect((await change(open.id, "Mine", tag, bo)).status).toBe(403);
    expect((await change(hidden.id, "Mine", tag, bo)).status).toBe(404);
    expect((await change(open.id, "", tag)).status).toBe(422);
  });
});

describe("no cache gives one caller's reply to another (X66)", () => {
  test.each(["/me", "/me/tracks", "/me/apps", "/uploads", "track", "secret", "streams"])(
    "%s",
    async (what) => {
      const { id, secret } = await createPlayableTrack(ana, { sharing: "private" });
      const named: Record<string, string> = {
        track: `/tracks/${id}`,
        secret: `/tracks/${id}?secret_token=${secret}`,
        streams: `/tracks/${id}/streams`,
      };
      const path = named[what] ?? what;
      const { status, headers } = await api.as(ana).get(path);
      expect(status).toBe(200);
      expect(headers.get("Cache-Control")).toMatch(
        /^private, (no-cache|no-store|max-age=0, must-revalidate)/,
      );
      const varies = (headers.get("Vary") ?? "").split(", ");
      for (const name of ["Accept", "Authorization", "Origin"]) expect(varies).toContain(name);
      const anonymous = await api.get(path);
      expect(anonymous.status).toBe(401);
      expect(anonymous.headers.get("Cache-Control")).toBe("no-store");
    },
  );
});
