import { beforeAll, expect, test } from "vitest";
import type { Streams } from "../../../functions/api/tracks/streams.ts";
import { api } from "../../support/api.ts";
import { createClientApp } from "../../support/consent.ts";
import { inBody } from "../../support/oauth.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { playable } from "../media/media-files.ts";

interface Header {
  $ref?: string;
  required?: boolean;
  schema: { type: string };
}

interface Reply {
  $ref?: string;
  headers?: Record<string, Header>;
}

interface OpenApi {
  paths: Record<string, Record<string, { responses: Record<string, Reply> }>>;
  components: { headers: Record<string, Header>; responses: Record<string, Reply> };
}

let document: OpenApi;
let ana: Person;
let ben: Person;
let track: number;
/** Path of the track's MP3. */
let file: string;

beforeAll(async () => {
  document = (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as OpenApi;
  [ana, ben] = [await createUser({ plan: "artist" }), await createUser()];
  track = (await playable(ana)).id;
  const { body } = await api.as(ana).get<Required<Streams>>(`/tracks/${track}/streams`);
  file = new URL(body.http_mp3_128_url).pathname;
  await createPlayableTrack(ana);
});

/** Headers of the documented reply, by lower-case name. */
function documented(method: string, template: string, status: number): Record<string, Header> {
  const { responses = {} } = document.paths[template]?.[method.toLowerCase()] ?? {};
  const named = responses[status] ?? responses.default ?? {};
  const reply = named.$ref ? document.components.responses[named.$ref.split("/").at(-1) ?? ""] : named;
  const entries = Object.entries(reply?.headers ?? {}).map(([name, header]) => {
    const shared = header.$ref ? document.components.headers[header.$ref.split("/").at(-1) ?? ""] : header;
    return [name.toLowerCase(), shared as Header] as const;
  });
  return Object.fromEntries(entries);
}

interface Asked {
  who?: Person;
  path?: () => string;
  json?: object;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

function send(method: string, template: string, { who, path, json, form, headers = {} }: Asked) {
  const body = json ? JSON.stringify(json) : form && new URLSearchParams(form);
  return fetch(stack.urls.api + (path?.() ?? template), {
    method,
    redirect: "manual",
    headers: {
      ...(who && { Authorization: `OAuth ${who.token}` }),
      ...(json && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body && { body }),
  });
}

const onTrack = (rest = "") => ({ path: () => `/tracks/${track}${rest}` });

/** Replies of many kinds, and the headers that each certainly has. */
const REPLIES: [name: string, status: number, sent: string[], asked: () => Asked][] = [
  ["GET /tracks/{id}", 200, ["etag", "cache-control"], () => ({ who: ana, ...onTrack() })],
  ["GET /tracks", 200, ["link"], () => ({ who: ana, path: () => "/tracks?limit=1" })],
  ["GET /tracks", 422, [], () => ({ who: ana, path: () => "/tracks?limit=x" })],
  ["GET /tracks/{id}", 404, [], () => ({ who: ana, path: () => "/tracks/4503599627370496" })],
  ["GET /tracks/{id}", 406, [], () => ({ who: ana, path: () => `/tracks/${track}.yaml` })],
  ["GET /me", 401, ["www-authenticate"], () => ({})],
  [
    "PUT /tracks/{id}",
    200,
    ["cache-control"],
    () => ({ who: ana, ...onTrack(), json: { track: { title: "B" } } }),
  ],
  [
    "PUT /tracks/{id}",
    412,
    [],
    () => ({ who: ana, ...onTrack(), json: { track: {} }, headers: { "If-Match": '"x"' } }),
  ],
  ["PUT /tracks/{id}", 403, [], () => ({ who: ben, ...onTrack(), json: { track: { title: "B" } } })],
  [
    "PUT /tracks/{id}",
    415,
    [],
    () => ({ who: ana, ...onTrack(), form: {}, headers: { "Content-Type": "x/y" } }),
  ],
  [
    "POST /likes/tracks/{id}",
    200,
    ["ratelimit", "ratelimit-policy"],
    () => ({
      who: ben,
      path: () => `/likes/tracks/${track}`,
    }),
  ],
  [
    "POST /tracks/{id}/comments",
    201,
    ["location", "ratelimit"],
    () => ({
      who: ben,
      ...onTrack("/comments"),
      json: { comment: { body: "Fine" } },
    }),
  ],
  [
    "POST /playlists",
    201,
    ["location", "ratelimit"],
    () => ({
      who: ana,
      json: { playlist: { title: "A" } },
    }),
  ],
  ["POST /playlists", 400, [], () => ({ who: ana, json: {} })],
  ["POST /tracks/{id}/retry", 409, [], () => ({ who: ana, ...onTrack("/retry") })],
  ["GET /media/{token}/audio.mp3", 200, ["etag"], () => ({ path: () => file })],
  [
    "GET /media/{token}/audio.mp3",
    206,
    ["etag", "content-range"],
    () => ({ path: () => file, headers: { Range: "bytes=0-9" } }),
  ],
  [
    "GET /media/{token}/audio.mp3",
    304,
    ["etag"],
    () => ({ path: () => file, headers: { "If-None-Match": "*" } }),
  ],
  [
    "GET /media/{token}/audio.mp3",
    416,
    ["content-range"],
    () => ({ path: () => file, headers: { Range: "bytes=9999-" } }),
  ],
  ["GET /tracks/{id}/preview", 302, ["location"], () => ({ who: ana, ...onTrack("/preview") })],
  ["GET /me/feed", 200, [], () => ({ who: ana })],
  ["POST /me/webhooks/{id}/test", 404, [], () => ({ who: ana, path: () => "/me/webhooks/1/test" })],
  ["POST /oauth/token", 400, ["cache-control"], () => ({ form: { grant_type: "none" } })],
  ["POST /oauth/token", 401, ["www-authenticate"], () => ({ form: { grant_type: "client_credentials" } })],
  ["POST /sign-out", 400, ["cache-control"], () => ({ json: {} })],
  ["GET /authorize", 400, ["cache-control"], () => ({})],
  ["GET /oembed", 400, [], () => ({})],
  ["GET /.well-known/openid-configuration", 200, ["cache-control"], () => ({})],
];

test.each(REPLIES)(
  "the headers of %s, status %d, are those of the document",
  async (name, status, sent, ask) => {
    const [method = "", template = ""] = name.split(" ");
    const reply = await send(method, template, ask());
    expect([reply.status, await reply.text()]).toEqual([status, expect.any(String)]);
    const promised = documented(method, template, status);
    const known = new Set(Object.keys(document.components.headers).map((header) => header.toLowerCase()));
    const present = [...reply.headers.keys()].filter((header) => known.has(header));
    expect(present.filter((header) => !(header in promised))).toEqual([]);
    const required = Object.keys(promised).filter((header) => promised[header]?.required);
    expect(present).toEqual(expect.arrayContaining([...required, ...sent]));
    for (const header of present)
      if (promised[header]?.schema.type === "integer") expect(reply.headers.get(header)).toMatch(/^\d+$/);
  },
);

test("a method that an address lacks gets 405 with Allow, as each operation says", async () => {
  const reply = await send("PATCH", "/me", { who: ana });
  expect([reply.status, reply.headers.get("Allow")]).toEqual([405, expect.stringContaining("GET")]);
  for (const methods of Object.values(document.paths))
    for (const { responses } of Object.values(methods))
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(["405", "500", "503", "504"]));
  expect(documented("GET", "/me", 405).allow?.required).toBe(true);
});

test("pages of other origins read every header of the document, and those of older behaviour", async () => {
  const reply = await send("GET", "/tracks", { who: ana, headers: { Origin: "https://app.example" } });
  const exposed = reply.headers.get("Access-Control-Expose-Headers")?.toLowerCase().split(", ");
  const documentedNames = Object.keys(document.components.headers).map((name) => name.toLowerCase());
  // Fetch lets every page read Cache-Control, and Target is the document's name for Location.
  const named = documentedNames.filter((name) => !["cache-control", "target"].includes(name));
  expect(exposed).toEqual(expect.arrayContaining([...named, "deprecation", "sunset"]));
});

test("a repeated Idempotency-Key is answered with the documented header", async () => {
  const asked = {
    who: ana,
    json: { playlist: { title: "A" } },
    headers: { "Idempotency-Key": `k-${ana.id}` },
  };
  await send("POST", "/playlists", asked);
  const again = await send("POST", "/playlists", asked);
  expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  expect(documented("POST", "/playlists", 201)).toHaveProperty("idempotent-replayed");
});

test("a limit that is used up is told as the document says", async () => {
  const app = await createClientApp();
  const form = { grant_type: "refresh_token", refresh_token: "x", ...inBody(app), client_secret: "wrong" };
  const address = { "CF-Connecting-IP": `10.9.8.${ana.id % 250}` };
  let reply = await send("POST", "/oauth/token", { form, headers: address });
  for (let tries = 0; tries < 12 && reply.status !== 429; tries++)
    reply = await send("POST", "/oauth/token", { form, headers: address });
  expect([reply.status, reply.headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(Object.keys(documented("POST", "/oauth/token", 429))).toContain("retry-after");
});
