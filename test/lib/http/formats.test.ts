import { beforeAll, describe, expect, test } from "vitest";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { type ClientApp, createClientApp } from "../../support/consent.ts";
import { createUser, type Person, tokenOf } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createTrack, type StoredTrack, uploadFinishedTrack } from "../../support/tracks.ts";
import { parseXml, readXml } from "../../support/xml.ts";

let ana: Person;
let app: ClientApp;
let track: StoredTrack;

beforeAll(async () => {
  ana = await createUser();
  app = await createClientApp();
  track = await createTrack(ana);
  await createTrack(ana);
});

const JSON_REPLY = "application/json; charset=utf-8";
const XML_REPLY = "application/xml; charset=utf-8";
const JSONP_REPLY = "text/javascript; charset=utf-8";

const ask = (path: string, headers: Record<string, string> = {}, base = stack.urls.api) =>
  fetch(base + path, { headers: { Authorization: `OAuth ${ana.token}`, ...headers }, redirect: "manual" });

const typeOf = async (...asked: Parameters<typeof ask>) => {
  const reply = await ask(...asked);
  return reply.status === 200 ? reply.headers.get("Content-Type") : reply.status;
};

describe("the format", () => {
  test.for<[string, string, string | number]>([
    ["/me", "", JSON_REPLY],
    ["/me.json", "application/xml", JSON_REPLY],
    ["/me.xml", "application/json", XML_REPLY],
    ["/me.xml?format=json", "", XML_REPLY],
    ["/me/", "", JSON_REPLY],
    ["/me.xml/", "", XML_REPLY],
    ["/me.exe/", "", 406],
    ["/me.json?format=xml", "", JSON_REPLY],
    ["/me?format=xml", "application/json", XML_REPLY],
    ["/me?format=json", "application/xml", JSON_REPLY],
    ["/me?format=", "", JSON_REPLY],
    ["/me", "text/xml", XML_REPLY],
    ["/me", "application/json;q=0.2, application/xml;q=0.3", XML_REPLY],
    ["/me%2exml", "", XML_REPLY],
    ["/%6de.xml", "", XML_REPLY],
    ["/me/tracks.xml?limit=1", "", XML_REPLY],
    ["/me.exe", "", 406],
    ["/me?format=exe", "", 406],
    ["/me?format=xml&format=json", "", 400],
    ["/me", "text/html", 406],
    ["/me", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", JSON_REPLY],
  ])("%s with Accept %j is %s", async ([path, accept, expected]) => {
    expect(await typeOf(path, accept ? { Accept: accept } : {})).toBe(expected);
  });

  test.for<[string, number[]]>([
    [".exe", [406]],
    [".JSON", [406]],
    [".jso", [406]],
    [".json.xml", [404]],
    [".xml.exe", [404, 406]],
    [".", [404]],
    ["..", [404]],
    [".json//", [404]],
    [".0", [404]],
    [".xml%00", [404]],
    [".%78ml", [200]],
  ])("with the suffix %s (X37)", async ([suffix, statuses]) => {
    expect(statuses).toContain((await ask(`/tracks/${track.id}${suffix}`)).status);
  });

  test("suffixes exist on resources only", async () => {
    for (const path of ["/openapi.json", "/.well-known/jwks.json"])
      expect([path, await typeOf(path, { Accept: "application/xml" })]).toEqual([path, JSON_REPLY]);
    for (const path of ["/healthz.xml", "/openapi.xml", "/.json", "/media/x/waveform.xml"])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect(await typeOf("/healthz", { Accept: "image/png" })).toBe(JSON_REPLY);
  });

  test("an unsupported one is refused with an error object before any change", async () => {
    const json = { filename: "a.wav", size: 10, type: "audio/wav" };
    for (const path of ["/uploads.exe", "/uploads?format=zip", "/uploads.jsonp?callback=cb"]) {
      const { status, body } = await api.as(ana).post<ErrorReply>(path, { json });
      expect([path, status, body.message]).toEqual([path, 406, "406 - Not Acceptable"]);
    }
    const accept = { headers: { Accept: "image/png" }, json };
    expect((await api.as(ana).post("/uploads", accept)).status).toBe(406);
    expect((await api.as(ana).get("/uploads")).body).toEqual([]);
    expect((await api.get("/me.exe")).status).toBe(401);
  });

  test("may be audio if a redirect leads to it", async () => {
    const finished = await uploadFinishedTrack(ana, { downloadable: true });
    for (const accept of ["audio/*", "audio/mpeg", "image/png"]) {
      const reply = await ask(`/tracks/${finished.id}/download`, { Accept: accept });
      expect([reply.status, reply.headers.has("Location")]).toEqual([302, true]);
      expect((await ask(`/tracks/${finished.id}`, { Accept: accept })).status).toBe(406);
    }
    expect((await ask(`/tracks/${finished.id}/download.xml`)).status).toBe(302);
    expect((await ask(`/tracks/${finished.id}/download.exe`)).status).toBe(406);
  });

  test("applies to errors, except those of other paths", async () => {
    for (const [path, status] of [
      ["/tracks/1.xml", 404],
      ["/me/tracks.xml?limit=0", 422],
      ["/me/nothing.xml", 404],
    ] as const) {
      const { body, headers, status: bodyStatus } = await api.as(ana).get<ErrorReply>(path);
      expect([path, bodyStatus, headers.get("Content-Type")]).toEqual([path, status, XML_REPLY]);
      expect(body).toMatchObject({
        code: status,
        error: null,
        errors: [{ error_message: expect.any(String) }],
      });
    }
    expect((await ask("/me.xml", { Authorization: "" })).headers.get("WWW-Authenticate")).toContain("OAuth");
    expect((await ask("/media/x/audio.mp3", { Accept: "text/xml" })).headers.get("Content-Type")).toBe(
      JSON_REPLY,
    );
  });

  test("applies to a page's next page, too", async () => {
    for (const path of ["/me/tracks.xml?", "/me/tracks?format=xml&"]) {
      type Page = { collection: unknown[]; next_href: string };
      const first = await api.as(ana).get<Page>(`${path}linked_partitioning=1&limit=1`);
      const second = await api.as(ana).get<Page>(first.body.next_href);
      expect(second.headers.get("Content-Type")).toBe(XML_REPLY);
      expect(second.body.collection).toHaveLength(1);
      expect(second.body.collection).not.toEqual(first.body.collection);
    }
  });
});

describe("the older host", () => {
  test("returns XML by default", async () => {
    const older = (path: string, headers = {}) => ask(path, headers, stack.urls.older);
    expect(await typeOf("/me", {}, stack.urls.older)).toBe(XML_REPLY);
    expect(await typeOf("/me", { Accept: "*/*" }, stack.urls.older)).toBe(XML_REPLY);
    expect(await typeOf("/me.json", {}, stack.urls.older)).toBe(JSON_REPLY);
    expect(await typeOf("/me?format=json", {}, stack.urls.older)).toBe(JSON_REPLY);
    expect(await typeOf("/me", { Accept: "application/json, text/plain, */*" }, stack.urls.older)).toBe(
      JSON_REPLY,
    );
    const missing = await older("/tracks/1");
    expect(missing.headers.get("Content-Type")).toBe(XML_REPLY);
    expect(await missing.text()).toContain("<error><errors type=");
    const refused = await older("/me.exe");
    expect([refused.status, readXml(await refused.text())]).toEqual([
      406,
      { errors: [{ error_message: expect.any(String) }] },
    ]);
  });

  test("gives links to XML on the current host", async () => {
    const reply = await ask("/me/tracks?linked_partitioning=1&limit=1", {}, stack.urls.older);
    const { next_href } = readXml(await reply.text()) as { next_href: string };
    expect(next_href.startsWith(`${stack.urls.api}/me/tracks?`)).toBe(true);
    const { headers, body } = await api.as(ana).get<{ collection: unknown[] }>(next_href);
    expect([headers.get("Content-Type"), body.collection.length]).toEqual([XML_REPLY, 1]);
  });
});

describe("JSONP", () => {
  const called = async (path: string) => {
    const reply = await fetch(stack.urls.api + path);
    const text = await reply.text();
    const [, name, json] = /^\/\*\*\/([\w.$]+)\((.*)\);$/s.exec(text) ?? [];
    return { reply, name, value: json === undefined ? text : (JSON.parse(json) as unknown) };
  };

  test("calls back with public data, however requested", async () => {
    const plain = await (
      await fetch(`${stack.urls.api}/tracks/${track.id}?client_id=${app.client_id}`)
    ).json();
    for (const path of [".jsonp?", ".json?", "?format=jsonp&", "?format=json&", "?"]) {
      const { reply, name, value } = await called(
        `/tracks/${track.id}${path}callback=a.b&client_id=${app.client_id}`,
      );
      expect([reply.status, name, value]).toEqual([200, "a.b", plain]);
      expect(reply.headers.get("Content-Type")).toBe(JSONP_REPLY);
      expect(reply.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(reply.headers.get("Content-Disposition")).toBe("attachment; filename=f.txt");
    }
    const script = await fetch(
      `${stack.urls.api}/tracks/${track.id}?callback=cb&client_id=${app.client_id}`,
      {
        headers: { Accept: "text/javascript" },
      },
    );
    expect(await script.text()).toContain(`"id":${track.id}`);
    expect(script.headers.get("Content-Type")).toBe(JSONP_REPLY);
  });

  test("carries the error code in its body, because browsers ignore scripts of a 404", async () => {
    const older = await called(`/tracks/1?callback=cb&client_id=${app.client_id}`);
    expect([older.reply.status, older.value]).toEqual([
      200,
      { code: 404, errors: [{ error_message: "404 - Not Found" }] },
    ]);
    const { reply, value } = await called("/tracks/1?callback=cb");
    expect([reply.status, value]).toEqual([200, expect.objectContaining({ code: 401, error: null })]);
  });

  test("never contains data that requires a user's token", async () => {
    for (const path of ["/me", "/me/tracks", "/uploads"]) {
      const { reply, value } = await called(`${path}?callback=cb&oauth_token=${ana.token}`);
      expect([path, reply.status, value]).toEqual([path, 200, expect.objectContaining({ code: 406 })]);
    }
  });

  test("is 406 in its envelope if a token or a secret is presented", async () => {
    const hidden = await createTrack(ana, { sharing: "private" });
    const named = `callback=cb&client_id=${app.client_id}`;
    const page = `${stack.urls.api}/${ana.username}/stored-${hidden.prefix.split("/")[2]}/${hidden.secret}`;
    const upload = await api
      .as(ana)
      .post<Upload>("/uploads", { json: { filename: "a.wav", size: 10, type: "audio/wav" } });
    const companion = new URL(upload.body.companion_url).pathname;
    const refused: [string, Record<string, string>][] = [
      [`/tracks/${track.id}?callback=cb`, { Authorization: `OAuth ${ana.token}` }],
      [`/tracks/${track.id}.jsonp?callback=cb`, { Authorization: `Bearer ${await tokenOf(ana.app)}` }],
      [`/tracks/${track.id}?${named}`, { Authorization: `OAuth ${ana.token}` }],
      [`/tracks/${track.id}?callback=cb&oauth_token=${ana.token}`, {}],
      [`/tracks?callback=cb&oauth_token=${ana.token}`, {}],
      [`/tracks/${hidden.id}?${named}&secret_token=${hidden.secret}`, {}],
      [`/tracks/${track.id}?${named}&secret_token=s-nothing`, {}],
      [`/resolve?${named}&secret_token=${hidden.secret}&url=${stack.urls.api}/tracks/${hidden.id}`, {}],
      [`/resolve?${named}&url=${page}`, {}],
      [`/resolve?${named}&_status_code_map[302]=200&url=${page}`, {}],
      [`/oembed?callback=cb&url=${page}`, {}],
      [`/oembed?callback=cb&oauth_token=${ana.token}&url=${stack.urls.api}/tracks/${track.id}`, {}],
      [`${companion}/s3/multipart/${upload.body.id}?key=k&callback=cb`, {}],
    ];
    for (const [path, headers] of refused) {
      const reply = await fetch(stack.urls.api + path, { headers, redirect: "manual" });
      const text = await reply.text();
      expect([path, reply.status, reply.headers.get("Content-Type")]).toEqual([path, 200, JSONP_REPLY]);
      expect(text).toMatch(/^\/\*\*\/cb\(\{"code":406,/);
      for (const secret of [hidden.secret, "hidden", upload.body.companion_url])
        expect(text).not.toContain(secret);
    }
    await api.as(ana).delete(`/uploads/${upload.body.id}`);
  });

  test.for<[string, string]>([
    ["nothing", ""],
    ["a call", "alert(1)//"],
    ["two statements", "a;b"],
    ["the start of a film", "CWS%07%0e000hC"],
    ["5,000 letters", "x".repeat(5_000)],
    ["a foreign letter", "%C3%BC"],
    ["a line end", "a%0d%0aX:%20y"],
    ["NUL", "a%00"],
    ["a broken escape", "%zz"],
    ["two names", "a&callback=b"],
    ["a word that evaluates", "eval"],
  ])("400: %s as a callback, in JSON (X46, X51)", async ([, callback]) => {
    for (const path of [`/tracks/${track.id}?`, `/tracks/${track.id}.jsonp?`]) {
      const reply = await ask(`${path}callback=${callback}`);
      expect([reply.status, reply.headers.get("Content-Type")]).toEqual([400, JSON_REPLY]);
      expect(reply.headers.get("X")).toBeNull();
      expect(await reply.json()).toMatchObject({ code: 400, error: null });
    }
    expect((await ask(`/tracks/${track.id}?callback[]=cb`)).status).toBe(400);
  });

  test("requires a callback and a read", async () => {
    expect((await ask("/me.jsonp")).status).toBe(400);
    expect((await ask("/me?format=jsonp")).status).toBe(400);
    const written = await api.as(ana).post("/uploads?callback=cb", { json: {} });
    expect([written.status, written.headers.get("Content-Type")]).toEqual([400, JSON_REPLY]);
    expect(await typeOf("/me.xml?callback=alert(1)")).toBe(XML_REPLY);
  });
});

test("a reply that is no script, page or style sheet cannot be loaded as one (X47)", async () => {
  for (const path of [`/tracks/${track.id}`, `/tracks/${track.id}.xml`, "/me", "/tracks/1"]) {
    const { headers } = await ask(path, { Accept: "*/*" });
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Content-Type")).toMatch(/^application\/(?:json|xml); charset=utf-8$/);
    expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
  }
});

test("a root is named after its content", async () => {
  const root = async (path: string) => parseXml(await (await ask(path)).text()).name;
  expect(await root(`/tracks/${track.id}.xml`)).toBe("track");
  expect(await root("/me/tracks.xml")).toBe("tracks");
  expect(await root("/me/tracks.xml?linked_partitioning=1")).toBe("tracks");
  expect(await root("/me/apps.xml")).toBe("apps");
  expect(await root("/me.xml")).toBe("user");
  expect(await root("/me/tracks.xml?limit=0")).toBe("error");
});
