import { beforeAll, expect, test } from "vitest";
import type { AppWithSecret } from "../../../functions/api/apps/representation.ts";
import { ACTIVITIES } from "../../api/activities/statements-activities.support.ts";
import { createComment, pathOf } from "../../api/comments/comments.support.ts";
import { CONNECTION_ROUTES } from "../../api/connections/statements-connections.support.ts";
import { CREDITS } from "../../api/credits/statements-credits.support.ts";
import { FAVORITES } from "../../api/favorites/statements-favorites.support.ts";
import { FEED } from "../../api/feed/statements-feed.support.ts";
import { IMPORTS, serveFeeds } from "../../api/imports/import-requests.support.ts";
import { INSIGHTS } from "../../api/insights/statements-insights.support.ts";
import { PLAYLISTS } from "../../api/playlists/statements-playlists.support.ts";
import { PLAYS } from "../../api/plays/statements-plays.support.ts";
import { RESOLVING } from "../../api/resolve/statements-resolve.support.ts";
import { UPLOADING } from "../../api/uploads/statements-uploads.support.ts";
import { WEBHOOKS } from "../../api/webhooks/statements-webhooks.support.ts";
import { OAUTH } from "../../auth/oauth/statements-oauth.support.ts";
import { api } from "../../support/api.ts";
import { operations } from "../../support/operations.ts";
import { createUser } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack, createReadyUpload, createRetryableTrack, words } from "../../support/tracks.ts";
import {
  ana,
  ben,
  type Entry,
  get,
  links,
  meet,
  none,
  one,
  post,
  put,
  remove,
  STATIC,
  track,
  waveform,
} from "./statements.support.ts";

serveFeeds();
beforeAll(meet);

const PROFILES = { web_profiles: [{ url: "https://example.com/counted" }] };
const COMMENT = { comment: { body: "Counted" } };
const NEW_APP = { name: "Counted", redirect_uris: ["https://example.com/cb"] };

const TRANSCRIPT = { transcript: { content: "WEBVTT\n\n00:00.000 --> 00:01.000\nCounted" } };
const CHAPTERS = { chapters: [{ startTime: 0, title: "Counted" }] };

async function transcriptPath(): Promise<string> {
  const path = `/tracks/${track.id}/transcript`;
  await put(path, TRANSCRIPT);
  return path;
}

/** A track that Ana likes. */
async function createFavorite(): Promise<number> {
  const { id } = await createPlayableTrack(ana);
  await api.as(ana).post(`/likes/tracks/${id}`);
  return id;
}

const createOwnApp = async () => (await api.as(ana).post<AppWithSecret>("/me/apps", { json: NEW_APP })).body;

const ROUTES: Record<string, Entry> = {
  ...CONNECTION_ROUTES,
  ...ACTIVITIES,
  ...CREDITS,
  ...FEED,
  ...IMPORTS,
  "GET /apps/{id}": one(() => get(`/apps/${ana.app.id}`)),
  "GET /me": one(() => get("/me")),
  "GET /me/userinfo": one(() => get("/me/userinfo")),
  "PUT /me": one(() => put("/me", { user: { description: "Counted" } })),
  "GET /images/{file}": none(STATIC, () => get("/images/avatar-default-large.jpg")),
  "GET /me/tracks": one(() => get("/me/tracks")),
  "GET /me/followers": one(() => get("/me/followers")),
  "GET /me/followers/{userId}": one(() => get(`/me/followers/${ben.id}`)),
  "GET /me/followings": one(() => get("/me/followings")),
  "GET /me/followings/{userId}": one(() => get(`/me/followings/${ben.id}`)),
  "PUT /me/followings/{userId}": one(async () => put(`/me/followings/${(await createUser()).id}`)),
  "DELETE /me/followings/{userId}": one(async () => remove(`/me/followings/${(await createUser()).id}`)),
  "GET /me/web-profiles": one(() => get("/me/web-profiles")),
  "PUT /me/web-profiles": one(() => put("/me/web-profiles", PROFILES)),
  "DELETE /me/web-profiles": one(() => remove("/me/web-profiles")),
  "GET /me/apps": one(() => get("/me/apps")),
  "POST /me/apps": one(() => post("/me/apps", NEW_APP)),
  "POST /me/apps/{id}/secret": one(async () => post(`/me/apps/${(await createOwnApp()).id}/secret`)),
  "DELETE /me/apps/{id}": one(async () => remove(`/me/apps/${(await createOwnApp()).id}`)),

  "GET /media/{token}/master.m3u8": one(() => get(links.hls_aac_160_url)),
  "GET /media/{token}/{bitrate}/playlist.m3u8": one(() => get(links.hls_aac_96_url)),
  "GET /media/{token}/{bitrate}/{segment}": one(() => get(new URL("0.m4s", links.hls_aac_96_url).href)),
  "GET /media/{token}/audio.mp3": one(() => get(links.http_mp3_128_url)),
  "GET /media/{token}/audio.m3u8": one(() => get(links.hls_mp3_128_url)),
  "GET /media/{token}/audio/{segment}.mp3": one(() =>
    get(new URL("audio/0.mp3", links.hls_mp3_128_url).href),
  ),
  "GET /media/{token}/preview.mp3": one(() => get(links.preview_mp3_128_url)),
  "POST /media/{token}/reached": none("a queue takes it", () =>
    post(new URL("reached?quarter=2", links.hls_aac_160_url).href),
  ),
  "GET /media/{token}/cover.svg": one(() => get(waveform.replace("waveform.png", "cover.svg"))),
  "GET /media/{token}/cover/{format}.png": one(() =>
    get(waveform.replace("waveform.png", "cover/large.png")),
  ),
  "GET /media/{token}/waveform.png": one(() => get(waveform)),
  "GET /media/{token}/waveform.json": one(() => get(waveform.replace(".png", ".json"))),

  "POST /tracks": one(async () => {
    const who = await createUser();
    const json = { track: { upload_id: (await createReadyUpload(who, words())).id, title: "Counted" } };
    return post("/tracks", json, {}, who);
  }),
  "GET /tracks": one(() => get(`/tracks?q=${ana.username}`)),
  "GET /suggestions": one(() => get(`/suggestions?q=${ana.username}`)),
  "GET /users": one(() => get(`/users?q=${ana.username}`)),
  "GET /users/{id}": one(() => get(`/users/${ben.id}`)),
  "GET /users/{id}/tracks": one(() => get(`/users/${ana.id}/tracks`)),
  "GET /users/{id}/followers": one(() => get(`/users/${ben.id}/followers`)),
  "GET /users/{id}/followers/{userId}": one(() => get(`/users/${ben.id}/followers/${ana.id}`)),
  "GET /users/{id}/followings": one(() => get(`/users/${ben.id}/followings`)),
  "GET /users/{id}/followings/{userId}": one(() => get(`/users/${ben.id}/followings/${ana.id}`)),
  "PUT /users/{id}/followings/{userId}": one(async () =>
    put(`/users/${ana.id}/followings/${(await createUser()).id}`),
  ),
  "DELETE /users/{id}/followings/{userId}": one(async () =>
    remove(`/users/${ana.id}/followings/${(await createUser()).id}`),
  ),
  "GET /users/{id}/web-profiles": one(() => get(`/users/${ben.id}/web-profiles`)),
  "PUT /users/{id}/web-profiles": one(() => put(`/users/${ana.id}/web-profiles`, PROFILES)),
  "DELETE /users/{id}/web-profiles": one(() => remove(`/users/${ana.id}/web-profiles`)),
  "GET /tracks/{id}": one(() => get(`/tracks/${track.id}`)),
  "GET /tracks/{id}/streams": one(() => get(`/tracks/${track.id}/streams`)),
  "GET /tracks/{id}/preview": one(() => get(`/tracks/${track.id}/preview`)),
  "GET /tracks/{id}/stream": one(() => get(`/tracks/${track.id}/stream`)),

  "GET /me/permalink": one(() => get("/me/permalink")),
  "PUT /me/permalink": one(async () => {
    const who = await createUser();
    return put("/me/permalink", { permalink: `${who.username}-2` }, {}, who);
  }),
  "GET /tracks/{id}/permalink": one(() => get(`/tracks/${track.id}/permalink`)),
  "PUT /tracks/{id}/permalink": one(async () =>
    put(`/tracks/${(await createPlayableTrack(ana)).id}/permalink`, { permalink: "counted-there" }),
  ),
  "POST /tracks/{id}/supersede": one(async () => {
    const [old, taker] = [await createPlayableTrack(ana), await createPlayableTrack(ana)];
    return post(`/tracks/${taker.id}/supersede`, { superseded_id: old.id });
  }),
  "PUT /tracks/{id}": one(() => put(`/tracks/${track.id}`, { track: { title: "Counted" } })),
  "DELETE /tracks/{id}": one(async () => remove(`/tracks/${(await createPlayableTrack(ana)).id}`)),
  "GET /tracks/{id}/attachments": one(() => get(`/tracks/${track.id}/attachments`)),
  "GET /tracks/{id}/download": one(() => get(`/tracks/${track.id}/download`)),
  "GET /tracks/{id}/secret-token": one(() => get(`/tracks/${track.id}/secret-token`)),
  "PUT /tracks/{id}/secret-token": one(async () =>
    put(`/tracks/${(await createPlayableTrack(ana)).id}/secret-token`),
  ),
  "GET /tracks/{id}/shared-to/users": one(() => get(`/tracks/${track.id}/shared-to/users`)),
  "PUT /tracks/{id}/shared-to/users": one(() => put(`/tracks/${track.id}/shared-to/users`, { users: [] })),
  "GET /tracks/{id}/favoriters": one(() => get(`/tracks/${track.id}/favoriters`)),
  "GET /tracks/{id}/favoriters/{user}": one(async () =>
    get(`/tracks/${await createFavorite()}/favoriters/${ana.id}`),
  ),
  "GET /tracks/{id}/reposters": one(() => get(`/tracks/${track.id}/reposters`)),
  "POST /tracks/{id}/retry": one(async () => post(`/tracks/${(await createRetryableTrack(ana)).id}/retry`)),

  "PUT /me/tracks": one(() => put("/me/tracks", { ids: [track.id], track: { title: "Counted" } })),
  "DELETE /me/tracks": one(async () => remove(`/me/tracks?ids=${(await createPlayableTrack(ana)).id}`)),

  "GET /me/related": one(() => get("/me/related")),
  "GET /users/{id}/related": one(() => get(`/users/${ana.id}/related?q=a`)),
  "GET /tracks/{id}/episode": one(() => get(`/tracks/${track.id}/episode`)),
  "PUT /tracks/{id}/episode": one(() => put(`/tracks/${track.id}/episode`, { episode: { number: 1 } })),
  "GET /tracks/{id}/transcript": one(async () => get(await transcriptPath())),
  "GET /tracks/{id}/transcript/{format}": one(async () => get(`${await transcriptPath()}/vtt`)),
  "PUT /tracks/{id}/transcript": one(() => put(`/tracks/${track.id}/transcript`, TRANSCRIPT)),
  "DELETE /tracks/{id}/transcript": one(() => remove(`/tracks/${track.id}/transcript`)),
  "GET /tracks/{id}/chapters": one(() => get(`/tracks/${track.id}/chapters`)),
  "PUT /tracks/{id}/chapters": one(() => put(`/tracks/${track.id}/chapters`, CHAPTERS)),
  "PUT /tracks/{id}/chapters/{start}/picture": one(async () => {
    await put(`/tracks/${track.id}/chapters`, CHAPTERS);
    return put(`/tracks/${track.id}/chapters/0/picture`, { chapter: { picture_data: null } });
  }),
  "DELETE /tracks/{id}/chapters": one(() => remove(`/tracks/${track.id}/chapters`)),
  "GET /tracks/{id}/comments": one(() => get(`/tracks/${track.id}/comments`)),
  "POST /tracks/{id}/comments": one(() => post(`/tracks/${track.id}/comments`, COMMENT)),
  "GET /tracks/{id}/comments/{commentId}": one(async () => get(pathOf(await createComment(ana, track)))),
  "PUT /tracks/{id}/comments/{commentId}": one(async () =>
    put(pathOf(await createComment(ana, track)), COMMENT),
  ),
  "DELETE /tracks/{id}/comments/{commentId}": one(async () =>
    remove(pathOf(await createComment(ana, track))),
  ),
  "GET /comments/{id}": one(async () => get((await createComment(ana, track)).uri)),
  "GET /users/{id}/comments": one(() => get(`/users/${ana.id}/comments`)),
  "GET /me/comments": one(() => get("/me/comments")),
  "POST /likes/tracks/{id}": one(() => post(`/likes/tracks/${track.id}`)),
  "DELETE /likes/tracks/{id}": one(() => remove(`/likes/tracks/${track.id}`)),
  "GET /me/likes/tracks": one(() => get("/me/likes/tracks")),
  "GET /me/favorites": one(() => get("/me/favorites")),
  "GET /me/favorites/{id}": one(async () => get(`/me/favorites/${await createFavorite()}`)),
  "PUT /me/favorites/{id}": one(() => put(`/me/favorites/${track.id}`)),
  "DELETE /me/favorites/{id}": one(() => remove(`/me/favorites/${track.id}`)),
  "GET /users/{id}/likes/tracks": one(() => get(`/users/${ana.id}/likes/tracks`)),
  "GET /users/{id}/favorites": one(() => get(`/users/${ana.id}/favorites?q=a`)),
  "GET /users/{id}/favorites/{track}": one(async () =>
    get(`/users/${ana.id}/favorites/${await createFavorite()}`),
  ),
  "PUT /users/{id}/favorites/{track}": one(() => put(`/users/${ana.id}/favorites/${track.id}`)),
  "DELETE /users/{id}/favorites/{track}": one(() => remove(`/users/${ana.id}/favorites/${track.id}`)),
  "POST /reposts/tracks/{id}": one(() => post(`/reposts/tracks/${track.id}`)),
  "DELETE /reposts/tracks/{id}": one(() => remove(`/reposts/tracks/${track.id}`)),
  ...FAVORITES,
  ...WEBHOOKS,
  "GET /me/events": one(openStream),

  ...PLAYS,
  ...INSIGHTS,

  ...UPLOADING,

  ...OAUTH,
  ...PLAYLISTS,
  ...RESOLVING,
  "GET /oembed": one(() => get(`/oembed?url=${stack.urls.api}/${ana.username}`)),

  "GET /healthz": none("answers while the database is away", () => get("/healthz")),
  "GET /readyz": one(() => get("/readyz")),
};

/** The stream itself queries once a second, which no header can count. */
async function openStream(): Promise<Response> {
  const { token } = await createUser();
  const headers = { Authorization: `OAuth ${token}`, Accept: "text/event-stream" };
  const { status, headers: sent, body } = await fetch(`${stack.urls.api}/me/events`, { headers });
  await body?.cancel();
  return new Response(null, { status, headers: sent });
}

/** From the reply's own header, so that other tests' statements do not count. */
const statementsOf = ({ headers }: Response) =>
  Number(/queries: (\d+)/.exec(headers.get("Server-Timing") ?? "")?.[1] ?? 0);

test("each documented operation is listed here, and no other", async () => {
  const documented = (await operations()).map(({ name }) => name);
  expect(Object.keys(ROUTES).sort()).toEqual(documented.sort());
});

test.each(Object.entries(ROUTES))("%s", async (name, { ask, statements }) => {
  const reply = await ask();
  const text = await reply.text();
  expect(reply.status, text.slice(0, 500)).toBeLessThan(400);
  expect([name, statementsOf(reply)]).toEqual([name, statements]);
});

test("every operation with more or less than one statement states the reason", () => {
  for (const [name, { statements, because }] of Object.entries(ROUTES))
    expect([name, because !== undefined]).toEqual([name, statements !== 1]);
});
