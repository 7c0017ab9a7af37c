import { expect, test } from "vitest";
import { JSON_TYPE } from "../../attacks/raw-requests.support.ts";
import { api } from "../../support/api.ts";
import { operations } from "../../support/operations.ts";
import { createUser } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";

const PROFILES = { web_profiles: [{ url: "https://example.com/" }] };
const CONNECTION = { service: "twitter", redirect_uri: "https://client.example/" };

/** Bodies for operations that refuse a "1" in every field before they check the session. */
const VALID: Record<string, unknown> = {
  "PUT /me": { user: { description: "x" } },
  "PUT /me/tracks": { ids: [1], track: { genre: "x" } },
  "PUT /me/permalink": { permalink: "ana" },
  "PUT /me/web-profiles": PROFILES,
  "PUT /users/{id}/web-profiles": PROFILES,
  "POST /me/connections": CONNECTION,
  "POST /me/apps": { name: "x", redirect_uris: ["https://client.example/"] },
  "POST /me/webhooks": { url: "https://example.com/", events: ["comment.created"] },
  "PUT /me/webhooks/{id}": { enabled: true },
  "POST /playlists": { playlist: { title: "x" } },
  "PUT /playlists/{id}": { playlist: { title: "x" } },
  "PUT /playlists/{id}/podcast": { podcast: { category: "Music" } },
  "PUT /tracks/{id}/episode": { episode: { explicit: true } },
  "POST /releases": { release: { title: "x", tracks: [{ id: 1 }] } },
  "PUT /playlists/{id}/permalink": { permalink: "x" },
  "PUT /tracks/{id}/permalink": { permalink: "x" },
  "POST /tracks/{id}/supersede": { superseded_id: 2 },
  "PUT /tracks/{id}/transcript": { transcript: { content: "WEBVTT\n\n00:00.000 --> 00:04.000\nHello." } },
  "PUT /tracks/{id}/chapters": { version: "1.2.0", chapters: [{ startTime: 0, title: "Hello" }] },
  "PUT /tracks/{id}/chapters/{start}/picture": { chapter: { picture_data: null } },
  "POST /me/podcast-imports": { podcast_import: { feed_url: "https://feeds.example.com/a.xml" } },
  "POST /tracks": { track: { title: "x", upload_id: 1 } },
  "PUT /tracks/{id}": { track: { title: "x" } },
  "POST /uploads": { filename: "a.wav", size: 10, type: "audio/wav" },
  "POST /uploads/{id}/parts": { numbers: [1] },
  "POST /uploads/{id}/complete": { parts: [{ number: 1, etag: "x" }] },
};

test("401: every operation that takes a token refuses one whose session has ended", async () => {
  const ana = await createUser({ plan: "artist" });
  await sql("update sessions set revoked_at = now() where user_id = $1", [ana.id]);
  const guarded = (await operations()).filter(({ security }) => security);
  expect(guarded.length).toBeGreaterThan(80);
  for (const operation of guarded) {
    const json = VALID[operation.name];
    const body = json ? { type: "application/json", text: JSON.stringify(json) } : operation.body("1");
    const reply = await fetch(stack.urls.api + operation.path("1") + operation.requiredQuery, {
      method: operation.method,
      redirect: "manual",
      headers: { Authorization: `OAuth ${ana.token}`, ...(body && { "Content-Type": body.type }) },
      ...(body && { body: body.text }),
    });
    const text = await reply.text();
    expect([operation.name, reply.status, text]).toEqual([
      operation.name,
      401,
      expect.stringContaining("The access token's session has ended"),
    ]);
    expect(reply.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
  }
});

test("401: a form with a file is refused before the file is stored", async () => {
  const ana = await createUser();
  await sql("update sessions set revoked_at = now() where user_id = $1", [ana.id]);
  const form = new FormData();
  form.set("track[title]", "x");
  form.set("track[asset_data]", new Blob([new Uint8Array(100)]), "a.wav");
  expect((await api.as(ana).post("/tracks", { raw: form })).status).toBe(401);
  const listed = await sql("select from object_garbage where prefix like $1", [`in/${ana.id}/%`]);
  expect(listed).toEqual([]);
});

test("401: an app that sent only its client id learns that the id is wrong", async () => {
  const reply = await fetch(`${stack.urls.older}/tracks/1?client_id=nobody`, { headers: JSON_TYPE });
  expect([reply.status, await reply.text()]).toEqual([401, expect.stringContaining("there is no such app")]);
});
