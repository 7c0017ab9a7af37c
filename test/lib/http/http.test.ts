import { beforeAll, describe, expect, test } from "vitest";
import { speak, statusLine } from "../../attacks/raw-requests.support.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack, workerLog } from "../../support/stack.ts";
import { read } from "../../support/structure.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";

let ana: Person;
let track: StoredTrack;

beforeAll(async () => {
  ana = await createUser();
  track = await createTrack(ana);
});

describe("malformed HTTP requests", () => {
  const ask = (target: string, more = "") =>
    `GET ${target} HTTP/1.1\r\nHost: localhost:${stack.ports.front}\r\nConnection: close\r\n${more}\r\n`;

  test.for<[string, () => string]>([
    [
      "two lengths",
      () => `POST /uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    [
      "a length beside chunks",
      () =>
        `POST /uploads HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ["a folded line", () => ask("/healthz", "X-A: b\r\n c\r\n")],
    ["an absolute target", () => ask("http://evil.example/healthz")],
    ["OPTIONS *", () => "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
    ["NUL in a header", () => ask("/healthz", "X-A: \0\r\n")],
    ["no host", () => "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
    [
      "an unknown transfer coding",
      () => `POST /uploads HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n`,
    ],
  ])("400: %s (X86)", async ([, text]) => {
    expect(await statusLine(text())).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.for([
    "/tracks/1/../2",
    "//tracks",
    "/tracks//",
    "/tracks//1",
    "/TRACKS/1",
    "/tracks/1/",
    "/tracks%2f1",
    "/tracks/..%2fme",
    "/./me",
    "/%zz",
    "/%",
    "/tracks/%E0%A4%A",
    "/tracks/1\\..\\me",
  ])("the path %s bypasses nothing (X31, X88)", async (target) => {
    expect(await statusLine(ask(target))).toMatch(/^HTTP\/1\.1 (401|404|400) /);
    const signedIn = await statusLine(ask(target, `Authorization: OAuth ${ana.token}\r\n`));
    expect(signedIn).toMatch(target === "/./me" ? /^HTTP\/1\.1 (200|404) / : /^HTTP\/1\.1 (400|404) /);
  });

  test("a query may contain unescaped quotes and angle brackets, as curl sends them", async () => {
    const signed = `Authorization: OAuth ${ana.token}\r\n`;
    for (const text of ['"a"', "<", ">"])
      expect([text, await statusLine(ask(`/tracks?q=${text}`, signed))]).toEqual([text, "HTTP/1.1 200 OK"]);
  });

  test("405: unknown methods (X87)", async () => {
    for (const method of ["TRACE", "FOO", "PROPFIND", "CONNECT"]) {
      const reply = await speak(`${method} /tracks/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect([method, reply]).toEqual([method, expect.stringMatching(/^HTTP\/1\.1 (405|400) /)]);
    }
  });

  test("oversized headers and targets are refused, and the next request works", async () => {
    expect(await statusLine(ask("/healthz", `X-A: ${"x".repeat(70_000)}\r\n`))).toMatch(/^HTTP\/1\.1 431 /);
    const long = await fetch(`${stack.urls.api}/tracks/${"9".repeat(9_000)}`, {
      headers: { Authorization: `OAuth ${ana.token}` },
    });
    expect(long.status).toBeLessThan(500);
    expect((await api.get("/healthz")).status).toBe(200);
  });
});

describe("every reply", () => {
  const ERRORS = () =>
    [
      ["GET", "/tracks/0", 404],
      ["GET", "/me/tracks?limit=0", 422],
      ["POST", "/uploads", 400],
      ["PATCH", "/me", 405],
      ["GET", "/media/x/audio.mp3", 404],
      ["GET", "/uploads/companion/x/s3/multipart/1?key=x", 404],
    ] as const;

  test("lets any page read errors, but never with cookies (X68, X69)", async () => {
    for (const [method, path, status] of ERRORS()) {
      for (const origin of ["https://page.example", "null"]) {
        const reply = await fetch(stack.urls.api + path, {
          method,
          headers: { Authorization: `OAuth ${ana.token}`, Origin: origin },
        });
        expect([path, reply.status, reply.headers.get("Access-Control-Allow-Origin")]).toEqual([
          path,
          status,
          "*",
        ]);
        expect(reply.headers.get("Access-Control-Allow-Credentials")).toBeNull();
        expect(reply.headers.get("Access-Control-Expose-Headers")).toMatch(/WWW-Authenticate.*X-Request-Id/);
      }
    }
    const refused = await fetch(`${stack.urls.api}/me`, { headers: { Origin: "https://page.example" } });
    expect([refused.status, refused.headers.get("Access-Control-Allow-Origin")]).toEqual([401, "*"]);
    // Only pages need permission to read headers.
    expect((await fetch(`${stack.urls.api}/me`)).headers.get("Access-Control-Expose-Headers")).toBeNull();
  });

  test("to a preflight needs no token and lists methods and headers (X68)", async () => {
    for (const path of [
      "/me",
      "/tracks/1",
      "/tracks",
      "/uploads/1/parts",
      "/media/x/audio.mp3",
      "/tracks/none/such",
    ]) {
      const reply = await fetch(stack.urls.api + path, {
        method: "OPTIONS",
        headers: {
          Origin: "https://page.example",
          "Access-Control-Request-Method": "PUT",
          "Access-Control-Request-Headers": "authorization",
        },
      });
      expect([path, reply.status]).toEqual([path, 204]);
      expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
      for (const method of ["GET", "PUT", "POST", "DELETE"])
        expect(reply.headers.get("Access-Control-Allow-Methods")).toContain(method);
      for (const header of ["Authorization", "Content-Type", "Accept", "traceparent"])
        expect(reply.headers.get("Access-Control-Allow-Headers")).toContain(header);
      expect(reply.headers.get("Access-Control-Allow-Credentials")).toBeNull();
    }
  });

  test("carries the headers that disable content sniffing (X101)", async () => {
    for (const [method, path] of [
      ...ERRORS(),
      ["GET", "/healthz"],
      ["GET", `/tracks/${track.id}`],
      ["GET", "/no/such/page/here"],
    ] as const) {
      const { headers } = await fetch(stack.urls.api + path, {
        method,
        headers: { Authorization: `OAuth ${ana.token}` },
      });
      expect([path, Object.fromEntries(headers)]).toEqual([
        path,
        expect.objectContaining({
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
          vary: expect.stringContaining("Authorization"),
          "x-request-id": expect.stringMatching(/^[\w-]{8,64}$/),
          "content-type": expect.stringMatching(/^application\/json/),
        }),
      ]);
    }
  });

  test("repeats a valid request id and logs it; an invalid one is replaced", async () => {
    const given = `test-${Date.now()}-ok`;
    const { headers } = await api.get("/healthz", { headers: { "X-Request-Id": given } });
    expect(headers.get("X-Request-Id")).toBe(given);
    await expect
      .poll(() => workerLog().filter(({ request_id }) => request_id === given))
      .toMatchObject([{ event: "request", route: "/healthz", status: 200, method: "GET" }]);
    for (const bad of [
      "short",
      "x".repeat(65),
      "with space here",
      "semi;colon;",
      "<script>alert",
      '{"a":"b"}',
    ]) {
      const replaced = (await api.get("/healthz", { headers: { "X-Request-Id": bad } })).headers.get(
        "X-Request-Id",
      );
      expect(replaced).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test("to another method is 405 with the allowed ones; HEAD works like GET (X87)", async () => {
    const allowed = {
      "/me/feed": "HEAD, GET, OPTIONS",
      "/tracks": "HEAD, GET, POST, OPTIONS",
      "/uploads": "HEAD, GET, POST, OPTIONS",
      "/uploads/1": "HEAD, GET, DELETE, OPTIONS",
      "/healthz": "HEAD, GET, OPTIONS",
    };
    for (const [path, allow] of Object.entries(allowed)) {
      const { status, headers, body } = await api.as(ana).put<ErrorReply>(path, { json: {} });
      expect([path, status, headers.get("Allow")]).toEqual([path, 405, allow]);
      expect(body).toMatchObject({ code: 405, message: "405 - Method Not Allowed", error: null });
    }
    const head = await fetch(`${stack.urls.api}/tracks/${track.id}`, {
      method: "HEAD",
      headers: { Authorization: `OAuth ${ana.token}` },
    });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await fetch(`${stack.urls.api}/me`, { method: "HEAD" })).status).toBe(401);
  });

  test("to an unknown path is an error object, or a page for a browser outside the API", async () => {
    const ask = (path: string, accept: string) =>
      fetch(stack.urls.api + path, { headers: { Accept: accept } });
    const html = "text/html,application/xhtml+xml,*/*;q=0.8";
    for (const accept of ["application/json", "*/*", "image/png", "application/xml;q=0"])
      expect((await ask("/nobody/nothing", accept)).headers.get("Content-Type")).toMatch(
        /^application\/json/,
      );
    const page = await ask("/nobody/nothing", html);
    expect([page.status, page.headers.get("Content-Type")]).toEqual([
      404,
      expect.stringMatching(/^text\/html/),
    ]);
    for (const method of ["GET", "HEAD"]) {
      const { headers } = await fetch(`${stack.urls.api}/a/b/c/d/e`, { method, headers: { Accept: html } });
      expect([method, headers.get("Content-Type")]).toEqual([method, expect.stringMatching(/^text\/html/)]);
    }
    for (const path of ["/tracks/1/nothing", "/uploads/1/nothing", "/me/nothing", "/media/x"]) {
      const reply = await ask(path, html);
      expect([path, reply.status, reply.headers.get("Content-Type")]).toEqual([
        path,
        404,
        expect.stringMatching(/^application\/json/),
      ]);
    }
  });

  test.for([
    "*/*;q=x",
    "x".repeat(5_000),
    "application/xml;q=0",
    "image/png",
    ";;;,,,",
    "text/html",
    "application/*;q=0.1",
  ])("Accept %s causes no fault (X36)", async (accept) => {
    const { status } = await api.as(ana).get(`/tracks/${track.id}`, { headers: { Accept: accept } });
    expect([200, 406]).toContain(status);
  });

  test("ignores headers that override host, path or method (X67)", async () => {
    const headers = {
      Host: "evil.example",
      "X-Forwarded-Host": "evil.example",
      "X-Forwarded-Proto": "https",
      "X-Original-URL": "/me",
      "X-Rewrite-URL": "/me",
      "X-HTTP-Method-Override": "DELETE",
      Forwarded: "host=evil.example",
    };
    const reply = await api.as(ana).get(`/tracks/${track.id}`, { headers });
    expect(reply.body).toMatchObject({ id: track.id, uri: `${stack.urls.api}/tracks/${track.id}` });
    expect(JSON.stringify([reply.body, [...reply.headers]])).not.toContain("evil");
    const raw = await speak(
      `GET /tracks/${track.id} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: OAuth ${ana.token}\r\nConnection: close\r\n\r\n`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 (200|4\d\d) /);
    expect(raw).not.toContain("http://evil");
  });
});

test("healthz and readyz answer everybody and report each part", async () => {
  const { version } = JSON.parse(read("package.json"));
  const [alive, ready] = [await api.get("/healthz"), await api.get("/readyz")];
  expect(alive.body).toEqual({ status: "ok", version });
  expect(ready.body).toEqual({ status: "ok", database: "ok", storage: "ok", secrets: "ok" });
  for (const { headers } of [alive, ready]) expect(headers.get("Cache-Control")).toBe("no-store");
});
