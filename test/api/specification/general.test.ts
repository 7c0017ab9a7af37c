import { beforeAll, describe, expect, test } from "vitest";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack, type StoredTrack, streamsOf } from "../../support/tracks.ts";
import { playable } from "../media/media-files.ts";

let ana: Person;
let ben: Person;
let track: StoredTrack;
let secret: StoredTrack;

beforeAll(async () => {
  [ana, ben] = [await createUser({ plan: "artist" }), await createUser()];
  track = await playable(ana);
  secret = await playable(ana, { sharing: "private" });
});

describe("formats", () => {
  const asked = (path: string, headers: Record<string, string> = {}) =>
    fetch(stack.urls.api + path, {
      headers: { Authorization: `OAuth ${ben.token}`, ...headers },
    });

  test.each([
    ["", {}, "application/json"],
    [".json", {}, "application/json"],
    [".xml", {}, "application/xml"],
    ["?format=json", {}, "application/json"],
    ["?format=xml", {}, "application/xml"],
    ["", { Accept: "application/xml" }, "application/xml"],
    ["", { Accept: "application/json" }, "application/json"],
  ])("%j with %j returns %s", async (more, headers: Record<string, string>, type) => {
    const reply = await asked(`/tracks/${track.id}${more}`, headers);
    expect([reply.status, reply.headers.get("Content-Type")]).toEqual([200, `${type}; charset=utf-8`]);
    expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  test.each(["?callback=f", ".jsonp?callback=f", "?format=jsonp&callback=f"])(
    "%j returns text/javascript to an app that names itself",
    async (more) => {
      const reply = await fetch(`${stack.urls.api}/tracks/${track.id}${more}&client_id=${ana.app.client_id}`);
      expect([reply.status, reply.headers.get("Content-Type")]).toEqual([
        200,
        "text/javascript; charset=utf-8",
      ]);
      expect(await reply.text()).toContain(`"id":${track.id}`);
      expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
    },
  );
});

describe("the streams of a track", () => {
  test("a private track streams only to a user's session with its secret_token", async () => {
    const path = `/tracks/${secret.id}/stream`;
    const opened = `${path}?secret_token=${secret.secret}`;
    const own = await createAppToken();
    expect((await api.as(ben).get<Streams>(opened)).status).toBe(200);
    expect((await api.as(ben).get(path)).status).toBe(404);
    expect((await api.as(own).get(opened)).status).toBe(401);
    expect((await api.as(own).get(`/tracks/${secret.id}?secret_token=${secret.secret}`)).status).toBe(200);
  });

  test("a public track streams without a user's session", async () => {
    expect((await api.as(await createAppToken()).get(`/tracks/${track.id}/stream`)).status).toBe(200);
  });
});

describe("access", () => {
  test("playable: every transcoding", async () => {
    expect(Object.keys(await streamsOf(ben, track.id)).sort()).toEqual([
      "hls_aac_160_url",
      "hls_aac_96_url",
      "hls_mp3_128_url",
      "http_mp3_128_url",
      "preview_mp3_128_url",
    ]);
  });

  test("preview: only the preview", async () => {
    const { id } = await playable(ana, { paywall: "preview" });
    expect(Object.keys(await streamsOf(ben, id))).toEqual(["preview_mp3_128_url"]);
  });

  test("blocked: no stream_url, and an error for the streams", async () => {
    const { id } = await playable(ana, { streamable: false });
    expect((await api.as(ben).get(`/tracks/${id}`)).body).not.toHaveProperty("stream_url");
    expect((await api.as(ben).get(`/tracks/${id}/streams`)).status).toBe(403);
  });

  test("an unfinished track has no streams", async () => {
    const { id } = await createTrack(ana);
    expect((await api.as(ben).get(`/tracks/${id}/streams`)).status).toBe(404);
  });
});

test("registering an app requires a paid plan", async () => {
  const json = { name: "Mine", redirect_uris: ["https://client.example/cb"] };
  expect((await api.as(ben).post("/me/apps", { json })).status).toBe(403);
  await sql("update users set plan = 'artist' where id = $1", [ben.id]);
  const { status, body } = await api.as(ben).post<Record<string, unknown>>("/me/apps", { json });
  expect([status, typeof body.client_id, typeof body.client_secret]).toEqual([201, "string", "string"]);
});
