import { beforeAll, describe, expect, test } from "vitest";
import { JSON_TYPE } from "../../attacks/raw-requests.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack, uploadTrack, waitForEncode } from "../../support/tracks.ts";

let ana: Person;
let ben: Person;
let track: { id: number };

beforeAll(async () => {
  [ana, ben] = [await createUser(), await createUser()];
  track = await createTrack(ana);
});

const asked = async (path: string, init: RequestInit = {}, token?: string) =>
  fetch(stack.urls.api + path, {
    ...init,
    headers: { ...(token !== undefined && { Authorization: `OAuth ${token}` }), ...init.headers },
  });

const sent = (body: string): RequestInit => ({ method: "PUT", body, headers: JSON_TYPE });
const titled = (title: unknown) => sent(JSON.stringify({ track: { title } }));

describe("errors", () => {
  type Row = [status: number, condition: string, ask: () => Promise<Response>];
  const ROWS: Row[] = [
    [400, "the request is malformed", () => asked(`/tracks/${track.id}`, sent("{"), ana.token)],
    [400, "a required parameter is missing", () => asked(`/tracks/${track.id}`, sent("{}"), ana.token)],
    [401, "the header is missing", () => asked(`/tracks/${track.id}`)],
    [401, "the token is invalid", () => asked(`/tracks/${track.id}`, {}, "1-invalid")],
    [
      401,
      "a token without a user asks for a user's",
      async () => asked("/me", {}, (await createAppToken()).token),
    ],
    [403, "the user lacks permission", () => asked(`/tracks/${track.id}`, titled("Mine"), ben.token)],
    [404, "the resource does not exist", () => asked("/users/1", {}, ana.token)],
    [
      404,
      "the resource is not accessible to the user",
      async () => asked(`/tracks/${(await createTrack(ana, { sharing: "private" })).id}`, {}, ben.token),
    ],
    [
      406,
      "the format cannot be produced that Accept asks for",
      () => asked(`/tracks/${track.id}`, { headers: { Accept: "image/png" } }, ana.token),
    ],
    [406, "the format parameter asks for none", () => asked(`/tracks/${track.id}?format=png`, {}, ana.token)],
    [
      422,
      "an array stands where text is expected",
      () => asked(`/tracks/${track.id}`, titled(["a"]), ana.token),
    ],
    [
      422,
      "a required property is missing",
      () => asked("/playlists", { ...sent('{"playlist":{}}'), method: "POST" }, ana.token),
    ],
    [
      403,
      "comments are disabled",
      async () => {
        const { id } = await createTrack(ana, { commentable: false });
        const said = sent('{"comment":{"body":"Said"}}');
        return asked(`/tracks/${id}/comments`, { ...said, method: "POST" }, ben.token);
      },
    ],
    [
      403,
      "the streams of a blocked track are asked for",
      async () =>
        asked(`/tracks/${(await createTrack(ana, { streamable: false })).id}/streams`, {}, ben.token),
    ],
  ];

  test.for(ROWS)("%i: %s", async ([status, , ask]) => {
    const reply = await ask();
    expect(reply.status).toBe(status);
    expect(reply.headers.get("Content-Type")).toMatch(/^application\/json|^text\//);
    // A 406 without any acceptable format has no error body either.
    if (status === 406 && !reply.headers.get("Content-Type")?.includes("json")) return;
    const said = `${status} - ${reply.statusText}`;
    expect(await reply.json()).toEqual({
      code: status,
      message: said,
      link: expect.stringMatching(/^http/),
      status: said,
      errors: expect.arrayContaining([expect.objectContaining({ error_message: expect.any(String) })]),
      error: null,
      type: expect.stringMatching(/^[a-z-]+$/),
      request_id: reply.headers.get("X-Request-Id"),
    });
  });

  test("the older error body and its headers", async () => {
    const reply = await asked(`/users/1?client_id=${ana.app.client_id}`);
    expect([reply.status, await reply.json()]).toEqual([
      404,
      { errors: [{ error_message: expect.any(String) }] },
    ]);
    expect(reply.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
    const allowedIn = (name: string) =>
      reply.headers.get(`Access-Control-Allow-${name}`)?.split(/, */).sort();
    expect(allowedIn("Origin")).toEqual(["*"]);
    expect(allowedIn("Methods")).toEqual(expect.arrayContaining(["DELETE", "GET", "POST", "PUT"]));
    expect(allowedIn("Headers")).toEqual(expect.arrayContaining(["Accept", "Authorization", "Content-Type"]));
  });
});

/** Mono, 8 bits. */
function wavHeader({ rate, bytes }: { rate: number; bytes: number }): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}

describe("limits", () => {
  test.for([
    ["", 50],
    ["limit=200", 200],
    ["limit=201", 200],
    ["limit=1", 1],
  ] as const)("a page requested with %j has %i", async ([query, size]) => {
    const prolific = await createUser();
    await sql(
      `insert into tracks (user_id, title, permalink, secret_hash, secret_sealed, original_key, original_filename,
         original_content_size) select $1, 'One of many', 'one-' || n, sha256('x'), 'x', 'x', 'x', 1
       from generate_series(1, 203) n`,
      [prolific.id],
    );
    const path = `/users/${prolific.id}/tracks?linked_partitioning=true&${query}`;
    const { body } = await api.as(ben).get<{ collection: object[]; next_href?: string }>(path);
    expect([body.collection.length, body.next_href]).toEqual([size, expect.stringMatching(/^http/)]);
    let [seen, next] = [body.collection.length, body.next_href];
    while (size > 1 && next) {
      const page = (await api.as(ben).get<{ collection: object[]; next_href?: string }>(next)).body;
      [seen, next] = [seen + page.collection.length, page.next_href];
    }
    expect(seen).toBe(size > 1 ? 203 : 1);
  });

  test("a track of more than 24 hours fails as too long", async () => {
    // 25 hours of silence, at a rate that keeps the file small.
    const rate = 100;
    const bytes = 25 * 3600 * rate;
    const header = wavHeader({ rate, bytes });
    const long = await uploadTrack(ana, new Blob([new Uint8Array(header), new Uint8Array(bytes).fill(128)]));
    const { state, encoding } = await waitForEncode(ana, long.id);
    expect([state, encoding?.reason?.code]).toEqual(["failed", "too_long"]);
  });

  test.for([
    [4 * 2 ** 30, 201],
    [4 * 2 ** 30 + 1, 413],
  ] as const)("a file of %i bytes is answered %i", async ([size, status]) => {
    const json = { filename: "a.wav", size, type: "audio/wav" };
    expect((await api.as(ben).post<ErrorReply>("/uploads", { json })).status).toBe(status);
  });
});
