import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Upload } from "../../functions/api/uploads/representation.ts";
import { createComment } from "../api/comments/comments.support.ts";
import { createConnection } from "../api/connections/connections.support.ts";
import { createPlaylist, named } from "../api/playlists/playlists.ts";
import { createWebhook, deliveriesOf } from "../api/webhooks/webhook-receiver.ts";
import { api } from "../support/api.ts";
import { endingReply } from "../support/ending-reply.ts";
import { withParameters } from "../support/parameters.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { uploadFinishedTrack } from "../support/tracks.ts";
import { readXml } from "../support/xml.ts";

interface Operation {
  security: object[];
  parameters: { name: string; in: string; required: boolean }[];
  responses: Record<string, Reply>;
}

interface Reply {
  $ref?: string;
  content?: Record<string, unknown>;
}

interface Route {
  path: string;
  method: string;
  operation: Operation;
}

let ana: Person;
let routes: Route[];
/** Replies that many operations share. */
let shared: Record<string, Reply>;
let reads: { template: string; target: string; operation: Operation }[];

/** The awkward characters of X49 that a title may hold. */
const TITLE = `]]> & <!ENTITY a "b"> '😀' </title>`;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
  const track = await uploadFinishedTrack(ana, { title: TITLE, genre: "a & b" });
  await uploadFinishedTrack(ana, { title: "Another", sharing: "private" });
  const playlist = await createPlaylist(ana, { title: TITLE, tracks: named([track.id]) });
  const json = { filename: "a.wav", size: 10, type: "audio/wav" };
  for (const path of [`tracks/${track.id}`, `playlists/${playlist.id}`])
    for (const kind of ["likes", "reposts"]) await api.as(ana).post(`/${kind}/${path}`);
  const upload = await api.as(ana).post<Upload>("/uploads", { json });
  const app = { name: "A & <b>", redirect_uris: ["https://client.example/?a=1&b=2"] };
  await api.as(ana).post("/me/apps", { json: app });

  const ben = await createUser();
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ])
    await sql("insert into followings (user_id, followee_id) values ($1, $2)", [one?.id, other?.id]);
  await api.as(ben).post(`/reposts/tracks/${track.id}`);

  const document = withParameters(
    (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>;
      components: { responses: Record<string, Reply> };
    },
  );
  shared = document.components.responses;
  routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const webhook = await createWebhook(ana, `http://127.0.0.1:9/?a="b"&c=<d>`);
  await api.as(ben).delete(`/me/followings/${ana.id}`);
  await api.as(ben).put(`/me/followings/${ana.id}`);
  const delivery = async () => (await deliveriesOf(ana, webhook))[0];
  const attempted = async () => expect((await delivery())?.attempts[0]).toBeDefined();
  await vi.waitFor(attempted, { timeout: 90_000, interval: 100 });
  // Disabled, so that no further attempt changes what a test reads twice.
  await api.as(ana).put(`/me/webhooks/${webhook.id}`, { json: { enabled: false } });
  const comment = await createComment(ana, track, { body: "<b>a</b> & b", timestamp: 1 });
  const ids: Record<string, number> = {
    comments: comment.id,
    tracks: track.id,
    playlists: playlist.id,
    users: ana.id,
    uploads: upload.body.id,
    apps: ana.app.id,
    webhooks: webhook.id,
    events: (await delivery())?.payload.id ?? 0,
    followings: ben.id,
    followers: ben.id,
    favorites: track.id,
    favoriters: ana.id,
    connections: (await createConnection(ana, "A & <b>")).id,
  };
  const filled = (path: string) =>
    path.replace(/\{\w+\}/g, (_, at: number) => String(ids[path.slice(1, at).split("/").at(-2) ?? ""] ?? 1));
  reads = routes
    .filter(({ method }) => method === "GET")
    .map(({ path, operation }) => ({ template: path, target: filled(path), operation }));
});

/** Adds required query parameters. */
const withRequired = (path: string) =>
  /^\/(?:resolve|oembed)\b/.test(path)
    ? `${path}${path.includes("?") ? "&" : "?"}url=${stack.urls.api}/${ana.username}`
    : path;

const ask = (path: string, init: RequestInit = {}) =>
  fetch(stack.urls.api + withRequired(path), {
    redirect: "manual",
    ...init,
    // Errors name it, and the same one makes two replies alike.
    headers: {
      Authorization: `OAuth ${ana.token}`,
      "X-Request-Id": "every-route",
      ...endingReply(path),
      ...init.headers,
    },
  });

/** Signatures differ per reply. */
const unsigned = (text: string) =>
  text.replace(/\/media\/[\w.-]+/g, "/media/x").replace(/(cursor|uuid%5Bto%5D)=[\w.-]+/g, "$1=x");

/**
 * One state of the resource in both formats. Asks again while other files' tests change what a list holds: something new
 * may be there for one reply and gone by the next, so each format is asked for twice.
 */
async function inBothFormats(target: string) {
  const read = async (headers = {}) => {
    const reply = await ask(target, { headers });
    return { reply, text: unsigned(await reply.text()) };
  };
  const xmlOnly = { Accept: "application/xml" };
  for (;;) {
    const [json, xml] = [await read(), await read(xmlOnly)];
    if ((await read()).text === json.text && (await read(xmlOnly)).text === xml.text) return { json, xml };
  }
}

const inFormats = () => reads.filter(({ operation }) => operation.security.length);

/** Pages of consent, the current and the older one. */
const CONSENT = new Set(["/authorize", "/connect"]);

describe("every readable resource", () => {
  test("has the same content in XML and in JSON, including errors (X49)", async () => {
    const seen = new Set<number>();
    expect(inFormats().length).toBeGreaterThan(8);
    for (const { template, target } of inFormats()) {
      for (const query of ["", "?linked_partitioning=1&limit=1", "?limit=0&status=x"]) {
        const { json, xml } = await inBothFormats(target + query);
        const { status } = json.reply;
        seen.add(status);
        expect([template, xml.reply.status]).toEqual([template, status]);
        if (status >= 300 && status < 400) continue;
        expect([template, xml.reply.headers.get("Content-Type")]).toEqual([
          template,
          "application/xml; charset=utf-8",
        ]);
        expect([template, readXml(xml.text)]).toEqual([template, JSON.parse(json.text)]);
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining([200, 422]));
  });

  test("answers HEAD in any format", async () => {
    // A HEAD must never yield a code.
    for (const { template, target, operation } of reads.filter((read) => !CONSENT.has(read.target))) {
      for (const suffix of operation.security.length ? ["", ".xml"] : [""]) {
        const get = await ask(target + suffix);
        const head = await ask(target + suffix, { method: "HEAD" });
        expect([template, head.status, await head.text()]).toEqual([template, get.status, ""]);
        expect(head.headers.get("Content-Type")).toBe(get.headers.get("Content-Type"));
        await get.arrayBuffer();
      }
    }
  });

  test("answers JSONP, or explains why not", async () => {
    for (const { template, target } of inFormats()) {
      const reply = await ask(`${target}.jsonp?callback=cb`);
      if (reply.status === 302) continue;
      expect([template, reply.status, reply.headers.get("Content-Type")]).toEqual([
        template,
        200,
        "text/javascript; charset=utf-8",
      ]);
      expect(await reply.text()).toMatch(/^\/\*\*\/cb\([^<>&]*\);$/);
    }
  });

  test("is documented in each of its formats", () => {
    for (const { template, operation } of inFormats()) {
      for (const [status, { $ref, ...own }] of Object.entries(operation.responses)) {
        const { content } = $ref ? (shared[$ref.split("/").at(-1) ?? ""] ?? own) : own;
        if ($ref) expect(content).toBeDefined();
        if (!content?.["application/json"]) continue;
        expect([template, status, Object.keys(content)]).toEqual([
          template,
          status,
          expect.arrayContaining(["application/xml"]),
        ]);
      }
      expect([template, Object.keys(operation.responses)]).toEqual([
        template,
        expect.arrayContaining(["400", "406"]),
      ]);
    }
  });
});

describe("every route", () => {
  const METHODS = ["GET", "POST", "PUT", "DELETE"];

  test("answers 405 to a method it lacks and lists those it has (X87)", async () => {
    // A HEAD must never yield a code, so the pages of consent refuse it and say so themselves.
    const templates = [...new Set(routes.map(({ path }) => path))].filter((path) => !CONSENT.has(path));
    for (const template of templates) {
      const target = template.replace(/\{segment\}$/, "0.m4s").replace(/\{\w+\}/g, "1");
      const has = METHODS.filter((method) => routes.some((r) => r.path === template && r.method === method));
      const reply = await ask(target, { method: "PATCH" });
      const allow = (reply.headers.get("Allow") ?? "").split(", ");
      expect([template, reply.status, allow]).toEqual([template, 405, expect.arrayContaining(has)]);
      expect([template, allow.includes("HEAD")]).toEqual([template, allow.includes("GET")]);
      const options = await ask(target, { method: "OPTIONS" });
      expect([template, options.status]).toEqual([template, allow.includes("OPTIONS") ? 204 : 405]);
    }
  });

  test("has CORS on the API, and none on pages for sign-in and consent (X68)", async () => {
    const origin = { headers: { Origin: "https://page.example" } };
    for (const { target } of reads.filter(({ operation }) => operation.security.length)) {
      const reply = await ask(target, origin);
      expect([target, reply.headers.get("Access-Control-Allow-Origin")]).toEqual([target, "*"]);
    }
    for (const path of [
      "/authorize",
      "/connect",
      "/signin",
      "/signup",
      "/forgot",
      "/settings",
      "/you/apps",
      "/connections/callback",
      "/oauth/introspect",
    ]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const { headers } = await ask(path, { method, ...origin });
        expect([path, method, headers.get("Access-Control-Allow-Origin")]).toEqual([path, method, null]);
      }
    }
  });

  test("has CORS on a host of the API alone, even if unknown, except for consent (X68)", async () => {
    const allowed = async (path: string, method: string) =>
      (await fetch(stack.urls.older + path, { method })).headers.get("Access-Control-Allow-Origin");
    for (const method of ["GET", "OPTIONS", "PATCH"]) {
      for (const path of ["/nobody/nothing", "/tracks/none.exe", "/me", "/", "/oauth2/token"])
        expect([method, path, await allowed(path, method)]).toEqual([method, path, "*"]);
      expect(await allowed("/connect", method)).toBeNull();
    }
  });

  test("states the charset of text replies (X100)", async () => {
    for (const { target } of reads) {
      const type = (await ask(target)).headers.get("Content-Type") ?? "";
      if (/^(?:text\/|application\/(?:json|xml))/.test(type))
        expect([target, type]).toEqual([target, expect.stringMatching(/; charset=utf-8$/i)]);
    }
  });
});
