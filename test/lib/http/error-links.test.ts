import { beforeAll, expect, test } from "vitest";
import { ERROR_TYPES } from "../../../functions/lib/errors/error-types.ts";
import { reasonOf, typeOf } from "../../../functions/lib/http/errors.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { UNKNOWN_ID } from "./error-object.ts";

let ana: Person;
let page: string;

const JSON_BODY = { "Content-Type": "application/json" };
const TEXT_BODY = { "Content-Type": "text/plain" };

beforeAll(async () => {
  ana = await createUser();
  page = await (await fetch(`${stack.urls.api}/docs/errors`)).text();
});

async function signedOut(): Promise<Person> {
  const person = await createUser();
  await sql("update sessions set revoked_at = now() where user_id = $1", [person.id]);
  return person;
}

/** Text of the section of a link. Fails if the page lacks it. */
function sectionAt(type: string): string {
  const [, section = ""] = new RegExp(`<section[^>]* id="${type}">(.*?)</section>`, "s").exec(page) ?? [];
  expect([type, section.length > 0]).toEqual([type, true]);
  return section;
}

test.each<[string, number, (track: number) => Promise<{ status: number; body: unknown }>]>([
  ["missing-parameter", 400, () => api.as(ana).post("/tracks", { json: {} })],
  ["repeated-parameter", 400, () => api.as(ana).get("/tracks?q=a&q=b")],
  ["malformed-body", 400, () => api.as(ana).put("/me", { raw: "{", headers: JSON_BODY })],
  ["foreign-cursor", 400, () => api.as(ana).get("/tracks?cursor=x")],
  ["missing-token", 401, () => api.get("/me")],
  ["wrong-authorization-scheme", 401, () => api.get("/me", { headers: { Authorization: "Basic eDp5" } })],
  ["invalid-token", 401, () => api.get("/me", { headers: { Authorization: "OAuth x" } })],
  ["user-token-needed", 401, async () => api.as(await createAppToken()).get("/me")],
  ["revoked-token", 401, async () => api.as(await signedOut()).get("/me")],
  ["forbidden", 403, async (track) => api.as(await createUser()).delete(`/tracks/${track}`)],
  ["track-not-ready", 404, async () => api.as(ana).get(`/tracks/${(await createTrack(ana)).id}/streams`)],
  ["track-not-ready", 404, async () => api.as(ana).post(`/tracks/${(await createTrack(ana)).id}/plays`)],
  ["not-found", 404, () => api.as(ana).get(`/tracks/${UNKNOWN_ID}`)],
  ["method-not-allowed", 405, () => api.as(ana).put("/me/feed")],
  ["not-acceptable", 406, () => api.as(ana).get("/me?format=yaml")],
  ["conflict", 409, (track) => api.as(ana).post(`/tracks/${track}/retry`)],
  [
    "precondition-failed",
    412,
    (track) => api.as(ana).delete(`/tracks/${track}`, { headers: { "If-Match": '"x"' } }),
  ],
  ["unsupported-media-type", 415, () => api.as(ana).put("/me", { raw: "x", headers: TEXT_BODY })],
  ["unprocessable-entity", 422, () => api.as(ana).get("/tracks?limit=0")],
])("the link of %s leads to its section, which explains a %d", async (type, status, ask) => {
  const track = await createPlayableTrack(ana);
  const reply = await ask(track.id);
  const { link } = reply.body as { link: string };
  expect([reply.status, link]).toEqual([status, `${stack.urls.api}/docs/errors#${type}`]);
  expect(sectionAt(type)).toContain(`${status} `);
});

test("the page of errors explains every status of every operation", async () => {
  const document = (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };
  const statuses = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.keys(responses));
  const errors = [...new Set(statuses)].filter((status) => /^[45]/.test(status)).map(Number);
  expect(errors).toEqual(expect.arrayContaining([400, 404, 422, 503, 504]));
  for (const status of errors) expect(sectionAt(typeOf({ status, type: undefined }))).not.toBe("");
});

test("each type of error has a status that the service knows, and one sentence for its cause", () => {
  for (const [type, { status, cause, remedy }] of Object.entries(ERROR_TYPES)) {
    expect([type, reasonOf(status)]).not.toEqual([type, "Error"]);
    expect(cause).toMatch(/^[A-Z`][^.]*(?:\.\d[^.]*)*\.$/);
    expect(remedy).toMatch(/^[A-Z`].*\.$/);
  }
});

const readError = async (path: string, who: { token: string } = ana) => {
  const { status, body } = await api.as(who).get<ErrorReply>(path);
  return [status, body.errors?.map(({ error_message }) => error_message)];
};

const NO_LIMIT = "must be a whole number from 1 to 200; a larger one counts as 200";

test.each(["0", "-1", "abc", "1.5", ""])("limit=%s gets the actual maximum", async (limit) => {
  for (const path of ["/tracks", "/playlists", "/users", "/me/activities", "/me/feed", "/uploads"])
    expect([path, ...(await readError(`${path}?limit=${limit}`))]).toEqual([
      path,
      422,
      [`limit: ${NO_LIMIT}`],
    ]);
});

test.each([
  [
    "/tracks?filter=mine",
    "filter: must be one of all, public, private, streamable and downloadable, or a list of these with one of the first three at most",
  ],
  ["/tracks?access=none", "access: must be one of playable, preview, blocked"],
  ["/tracks?sort=title", "sort: must be one of asc, desc, created_at"],
  ["/playlists?representation=x", "representation: must be one of compact, id"],
  ["/uploads?status=x", "status: must be one of open, completing, ready, used, failed, aborted, expired"],
])("%s gets the list of valid values", async (path, message) => {
  expect(await readError(path)).toEqual([422, [message]]);
});

const update = async (path: string, json: object) => {
  const { status, body } = await api.as(ana).put<ErrorReply>(path, { json });
  return [status, body.errors?.map(({ error_message }) => error_message)];
};

test("an unknown value of an enumeration in a body gets the list of valid values", async () => {
  const path = `/tracks/${(await createPlayableTrack(ana)).id}`;
  expect(await update(path, { track: { sharing: "friends", track_type: "song", paywall: 5 } })).toEqual([
    422,
    [
      "track[sharing]: must be one of public, private",
      expect.stringMatching(/^track\[paywall\]: must be one of preview, blocked/),
      expect.stringMatching(/^track\[track_type\]: must be one of original, remix, .*, other/),
    ],
  ]);
  const playlist = await api
    .as(ana)
    .post<{ id: number }>("/playlists", { json: { playlist: { title: "A" } } });
  expect(
    await update(`/playlists/${playlist.body.id}`, { playlist: { playlist_type: "x", set_type: "y" } }),
  ).toEqual([
    422,
    [
      expect.stringMatching(/^playlist\[playlist_type\]: must be one of ep single, album, /),
      "playlist[set_type]: must be one of album, playlist",
    ],
  ]);
});

test("an impossible date is reported for the field that was sent", async () => {
  const track = `/tracks/${(await createPlayableTrack(ana)).id}`;
  const made = await api.as(ana).post<{ id: number }>("/playlists", { json: { playlist: { title: "A" } } });
  for (const [path, wrapper] of [
    [track, "track"],
    [`/playlists/${made.body.id}`, "playlist"],
  ] as const) {
    const put = (fields: object) => update(path, { [wrapper]: fields });
    const refused = (...fields: string[]) => [
      422,
      fields.map((field) => `${wrapper}[${field}]: is part of no date that exists`),
    ];
    expect((await put({ release_date: "2024-01-31" }))[0]).toBe(200);
    expect(await put({ release_month: 2 })).toEqual(refused("release_month"));
    expect((await put({ release_date: "2024-02-29" }))[0]).toBe(200);
    expect(await put({ release_year: 2023 })).toEqual(refused("release_year"));
    expect(await put({ release_day: 31 })).toEqual(refused("release_day"));
    expect(await put({ release_day: 31, release_month: 4 })).toEqual(refused("release_day", "release_month"));
    expect((await put({ release_date: "2024-02-30" }))[1]).toEqual([
      expect.stringMatching(new RegExp(`^${wrapper}\\[release_date\\]: must be a date`)),
    ]);
  }
});

const FLAG = "must be true or false, 1 or 0, yes or no, on or off";

test.each(["maybe", "2", "tru", "t", "null", " true"])(
  "linked_partitioning=%j is refused by name in every list",
  async (word) => {
    const [app, value] = [await createAppToken(), encodeURIComponent(word)];
    for (const path of ["/tracks", "/users", "/playlists", `/users/${ana.id}/web-profiles`])
      expect(await readError(`${path}?linked_partitioning=${value}`, app)).toEqual([
        422,
        [`linked_partitioning: ${FLAG}`],
      ]);
    expect(await readError(`/playlists?show_tracks=${value}`)).toEqual([422, [`show_tracks: ${FLAG}`]]);
  },
);

test.each(["True", "TRUE", "1", "yes", "YES", "on", "On"])(
  "linked_partitioning=%s wraps a list",
  async (word) => {
    for (const path of ["/me/tracks", "/me/playlists", "/users", "/me/web-profiles", "/me/connections"]) {
      const { status, body } = await api.as(ana).get(`${path}?linked_partitioning=${word}&limit=1`);
      expect([path, status, body]).toEqual([path, 200, { ...body, collection: expect.any(Array) }]);
    }
  },
);

test.each([
  ["True", true],
  ["YES", true],
  ["on", true],
  ["FALSE", false],
  ["No", false],
  ["off", false],
])("a form's %s is %s", async (word, value) => {
  const { id } = await createPlayableTrack(ana, { commentable: !value });
  const { status, body } = await api
    .as(ana)
    .put<{ commentable: boolean }>(`/tracks/${id}`, { form: { "track[commentable]": word } });
  expect([status, body.commentable]).toEqual([200, value]);
});
