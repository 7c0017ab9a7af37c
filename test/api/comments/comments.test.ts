import { beforeAll, describe, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import { SANITIZER_VERSION } from "../../../functions/lib/text/html.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { comment, createComment, pathOf } from "./comments.support.ts";

let owner: Person;
let ana: Person;
let ben: Person;
let track: StoredTrack;

beforeAll(async () => {
  [owner, ana, ben] = await Promise.all([createUser(), createUser(), createUser()]);
  track = await createTrack(owner);
});

const messageOf = ({ status, body }: { status: number; body: ErrorReply }) => [
  status,
  body.errors[0]?.error_message,
];

test("a comment names its author, its track and its time in the track", async () => {
  const made = await comment(ana, track, { body: "<b>Here</b> it comes", timestamp: 12_500 });
  expect(made.status).toBe(201);
  const { body } = made;
  expect(body).toEqual({
    id: expect.any(Number),
    kind: "comment",
    urn: `soundcloud:comments:${body.id}`,
    uri: `${stack.urls.api}/comments/${body.id}`,
    created_at: expect.stringMatching(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$/),
    body: "<b>Here</b> it comes",
    timestamp: 12_500,
    parent_id: null,
    user_id: ana.id,
    user_urn: `soundcloud:users:${ana.id}`,
    user: expect.objectContaining({
      id: ana.id,
      kind: "user",
      username: ana.username,
      permalink: ana.username,
      followers_count: 0,
      followings_count: 0,
    }),
    track_id: track.id,
    track_urn: `soundcloud:tracks:${track.id}`,
  });
  expect(made.headers.get("Location")).toBe(body.uri);
  for (const path of [
    `/comments/${body.id}`,
    `/comments/${body.urn}`,
    pathOf(body),
    `/tracks/${body.track_urn}/comments/${body.urn}`,
  ])
    expect((await api.as(await createAppToken()).get(path)).body).toEqual(body);
});

describe("a comment is written", () => {
  test.each([
    ["a number", 3_000, 3_000],
    ["text", "3000", 3_000],
    ["zero", 0, 0],
    ["null", null, null],
    ["empty", "", null],
    ["left out", undefined, null],
    ["past the end", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])("with a timestamp that is %s", async (_, timestamp, kept) => {
    expect((await createComment(await createUser(), track, { timestamp })).timestamp).toBe(kept);
  });

  test("from a form", async () => {
    const form = { "comment[body]": "By form", "comment[timestamp]": "1500" };
    const { status, body } = await api.as(ben).post<Comment>(`/tracks/${track.id}/comments`, { form });
    expect([status, body.body, body.timestamp]).toEqual([201, "By form", 1_500]);
  });

  test("from XML", async () => {
    const raw = "<comment><body>By XML</body><timestamp type='integer'>1500</timestamp></comment>";
    const headers = { "Content-Type": "application/xml" };
    const { status, body } = await api
      .as(ben)
      .post<Comment>(`/tracks/${track.id}/comments`, { raw, headers });
    expect([status, body.body, body.timestamp]).toEqual([201, "By XML", 1_500]);
  });

  test("by the track's owner too, in any state", async () => {
    const failed = await createTrack(owner, { state: "failed", streamable: false });
    expect((await comment(owner, failed, { body: "Why?" })).status).toBe(201);
    expect((await comment(ana, failed, { body: "Why indeed?" })).status).toBe(201);
  });

  test("ignoring read-only and unknown fields", async () => {
    const fields = { id: 1, user_id: owner.id, track_id: 1, created_at: "2001/01/01", nonsense: [] };
    expect(await createComment(ana, track, fields)).toMatchObject({ user_id: ana.id, track_id: track.id });
  });

  test("once per Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": `comment-${ana.username}` };
    const first = await comment(ana, track, { body: "Once" }, { headers });
    const again = await comment(ana, track, { body: "Once" }, { headers });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  });
});

describe("a comment is refused", () => {
  test.each([
    ["without a body", {}, "comment[body]: is missing"],
    ["with an empty body", { body: "" }, "comment[body]: must not be empty"],
    ["with a body of blanks", { body: " \u2003\n" }, "comment[body]: must not be empty"],
    ["with a body of tags alone", { body: "<p><br></p>" }, "comment[body]: must not be empty"],
    [
      "with a body of what is dropped (X44)",
      { body: "<script>x()</script>" },
      "comment[body]: must not be empty",
    ],
    ["with 2,001 characters", { body: "a".repeat(2_001) }, "comment[body]: may have 2000 characters at most"],
    [
      "that escapes make too long",
      { body: "&".repeat(1_000) },
      "comment[body]: is too long once it is escaped",
    ],
    ["with a list for a body", { body: ["a"] }, expect.stringContaining("comment[body]: ")],
    [
      "with a body that is no text",
      { body: "a\u0000b" },
      "comment[body]: contains characters that are not text",
    ],
    ...[-1, 1.5, 2 ** 53, 1e300, "-1", "1e3", " 1", "9".repeat(16), "abc", true, [1], {}].map(
      (timestamp): [string, object, string] => [
        `with the timestamp ${JSON.stringify(timestamp)} (X43)`,
        { body: "When?", timestamp },
        "comment[timestamp]: must be a whole number of milliseconds, 0 or more",
      ],
    ),
  ])("%s", async (_, fields, message) => {
    expect(messageOf(await comment<ErrorReply>(ana, track, fields))).toEqual([422, message]);
  });

  test.each([
    ["without its wrapper", { json: { body: "a" } }, 400],
    ["that is no object", { json: { comment: "a" } }, 422],
    ["that is no JSON", { raw: "{", headers: { "Content-Type": "application/json" } }, 400],
    ["that is plain text", { raw: "a", headers: { "Content-Type": "text/plain" } }, 415],
  ])("%s", async (_, options, status) => {
    expect((await api.as(ana).post(`/tracks/${track.id}/comments`, options)).status).toBe(status);
  });

  test("if comments are off, even from the owner, and existing ones stay", async () => {
    const closed = await createTrack(owner);
    const stands = await createComment(ana, closed);
    await api.as(owner).put(`/tracks/${closed.id}`, { json: { track: { commentable: false } } });
    for (const who of [owner, ana, ben])
      expect(messageOf(await comment<ErrorReply>(who, closed, { body: "No" }))).toEqual([
        403,
        "The track takes no comments",
      ]);
    expect((await api.as(ben).get(stands.uri)).body).toEqual(stands);
  });

  test("from an app without a user", async () => {
    const { token } = await createAppToken();
    const reply = await api.as({ token }).post(`/tracks/${track.id}/comments`, { json: { comment: {} } });
    expect(reply.status).toBe(401);
  });
});

test("a body keeps allowed HTML only, and its links carry nofollow (X44, X98)", async () => {
  const said = [
    [
      `<a href="https://spam.example" onclick="x()">buy</a>`,
      `<a href="https://spam.example" rel="nofollow ugc noopener">buy</a>`,
    ],
    [`<a href="javascript:alert(1)">x</a>`, "x"],
    [`<img src=x onerror=alert(1)>seen<svg/onload=alert(1)>`, "seen"],
    [`a < b && c > d`, "a &lt; b &amp;&amp; c &gt; d"],
    [`<b>open`, "<b>open</b>"],
    [`@ana <em style="color:red">look</em>\u2028`, "@ana <em>look</em>"],
  ] as const;
  for (const [body, kept] of said) expect((await createComment(ben, track, { body })).body).toBe(kept);
  const own = await createComment(ben, track);
  for (const [body, kept] of said) {
    const edited = await api.as(ben).put<Comment>(pathOf(own), { json: { comment: { body } } });
    expect(edited.body.body).toBe(kept);
  }
  const rows = await sql("select sanitizer_version from comments where id = $1", [own.id]);
  expect(rows).toEqual([{ sanitizer_version: SANITIZER_VERSION }]);
});
