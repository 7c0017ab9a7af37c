import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { type ClientApp, createClientApp } from "../../support/consent.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack, type StoredTrack } from "../../support/tracks.ts";
import { readXml } from "../../support/xml.ts";
import { createPlaylist } from "../playlists/playlists.ts";
import { page, resolveHref } from "./resolve.support.ts";

let ana: Person;
let app: ClientApp;
let song: StoredTrack;
let hidden: StoredTrack;
let winter: Playlist;
let url: string;

beforeAll(async () => {
  [ana, app] = [await createUser(), await createClientApp()];
  song = await createPlayableTrack(ana, { permalink: "song" });
  hidden = await createPlayableTrack(ana, { permalink: "hidden", sharing: "private" });
  winter = await createPlaylist(ana, { title: "Winter", sharing: "private" });
  url = page(`/${ana.username}/song`);
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(path.startsWith("http") ? path : stack.urls.api + path, { redirect: "manual", ...init });

interface Redirected {
  status: string;
  location: string;
}

/** The location in the header and the body, which must agree. */
async function locationOf(path: string, init?: RequestInit): Promise<string> {
  const reply = await ask(path, init);
  const { status, location, ...more } = (await reply.json()) as Redirected;
  expect([reply.status, status, more]).toEqual([302, "302 - Found", {}]);
  expect(reply.headers.get("Location")).toBe(location);
  expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
  expect(reply.headers.get("Deprecation")).toMatch(/^@\d+$/);
  return location;
}

const idAt = async (location: string) => {
  const reply = await ask(location);
  return [reply.status, ((await reply.json()) as { id: number }).id];
};

describe("a URL redirects to its resource in the older dialect", () => {
  test("redirects to each kind and keeps the query credential", async () => {
    const set = await createPlaylist(ana, { title: "Summer" });
    const own = [
      [page(`/${ana.username}`), `/users/${ana.id}`],
      [url, `/tracks/${song.id}`],
      [set.permalink_url, `/playlists/${set.id}`],
      [`${stack.urls.api}/apps/${app.id}`, `/apps/${app.id}`],
    ];
    for (const name of ["client_id", "consumer_key"]) {
      for (const [asked = "", path] of own) {
        const location = await locationOf(resolveHref(asked, { [name]: app.client_id }));
        expect(location).toBe(`${stack.urls.api}${path}?${name}=${app.client_id}`);
        expect((await ask(location)).status).toBe(200);
      }
    }
  });

  test("redirects to private resources of the token's user", async () => {
    const asked = page(`/${ana.username}/hidden`);
    const location = await locationOf(
      resolveHref(asked, { oauth_token: ana.token, client_id: app.client_id }),
    );
    expect(await idAt(location)).toEqual([200, hidden.id]);
    expect(new URL(location).searchParams.get("client_id")).toBe(app.client_id);
    expect((await ask(resolveHref(asked, { client_id: app.client_id }))).status).toBe(404);
  });

  test("keeps the secret token of a private link", async () => {
    for (const [link, id, secret] of [
      [page(`/${ana.username}/hidden/${hidden.secret}`), hidden.id, hidden.secret],
      [page(`/${ana.username}/hidden?secret_token=${hidden.secret}`), hidden.id, hidden.secret],
      [page(`/${ana.username}/sets/winter/${winter.secret_token}`), winter.id, winter.secret_token],
    ] as const) {
      const location = await locationOf(resolveHref(link, { client_id: app.client_id }));
      expect(new URL(location).searchParams.get("secret_token")).toBe(secret);
      expect(await idAt(location)).toEqual([200, id]);
    }
  });

  test("answers HEAD like GET", async () => {
    const path = resolveHref(url, { client_id: app.client_id });
    const head = await ask(path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([302, ""]);
    expect(head.headers.get("Location")).toBe(await locationOf(path));
  });

  test("404: an unknown or private page, in the older dialect", async () => {
    for (const path of ["/nobody", `/${ana.username}/hidden`, `/${ana.username}/hidden/s-wrong`]) {
      const reply = await ask(resolveHref(page(path), { client_id: app.client_id }));
      expect([reply.status, await reply.json()]).toEqual([
        404,
        { errors: [{ error_message: "404 - Not Found" }] },
      ]);
    }
  });
});

describe("the requested format is kept", () => {
  const following = async (path: string) => ask(await locationOf(path));

  test.each(["json", "xml"])("is kept as a suffix: .%s", async (format) => {
    const query = resolveHref(url, { client_id: app.client_id }).replace("/resolve", `/resolve.${format}`);
    expect(new URL(await locationOf(query)).pathname).toBe(`/tracks/${song.id}.${format}`);
    const reply = await following(query);
    expect(reply.headers.get("Content-Type")).toContain(`application/${format}`);
  });

  test("is kept as a parameter with its callback", async () => {
    const xml = await following(resolveHref(url, { client_id: app.client_id, format: "xml" }));
    expect(readXml(await xml.text())).toMatchObject({ id: song.id });
    const jsonp = await following(resolveHref(url, { client_id: app.client_id, callback: "cb" }));
    expect(await jsonp.text()).toMatch(/^\/\*\*\/cb\(\{/);
  });

  test("redirects from the older host, which returns XML, to the current one", async () => {
    const asked = stack.urls.older + resolveHref(url);
    const reply = await ask(asked, { headers: { Authorization: `OAuth ${ana.token}` } });
    expect(reply.headers.get("Location")).toBe(`${stack.urls.api}/tracks/${song.id}?format=xml`);
  });
});

describe("clients, unmodified", () => {
  /** Resolves like the browser SDK, which follows a status and location in the body. */
  async function sdkGet(path: string): Promise<{ id: number }> {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const json = (await (await ask(path, { headers })).json()) as { id: number } & Partial<Redirected>;
    return json.status === "302 - Found" && json.location ? sdkGet(json.location) : json;
  }

  test.each(["client_id", "oauth_token"])(
    "a client that maps 302 to 200 gets the resource at once by its %s",
    async (name) => {
      const credential = name === "client_id" ? app.client_id : ana.token;
      const more = { "_status_code_map[302]": "200", format: "json", [name]: credential };
      const reply = await ask(resolveHref(url, more));
      expect([reply.status, reply.headers.get("Location")]).toEqual([200, null]);
      expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
      const own = await ask(`/tracks/${song.id}?${name}=${credential}`);
      expect(await reply.json()).toMatchObject({
        id: song.id,
        title: ((await own.json()) as { title: string }).title,
      });
      expect((await sdkGet(resolveHref(url, more))).id).toBe(song.id);
    },
  );

  test("a client that reads the location from the body finds the resource", async () => {
    expect((await sdkGet(resolveHref(url, { client_id: app.client_id, format: "json" }))).id).toBe(song.id);
  });

  test("a client that sends the raw URL with header token and client id follows the redirect", async () => {
    const reply = await fetch(`${stack.urls.api}/resolve?url=${url}&client_id=${app.client_id}`, {
      headers: { Authorization: `OAuth ${ana.token}` },
    });
    expect(((await reply.json()) as { id: number }).id).toBe(song.id);
    expect(new URL(reply.url).pathname).toBe(`/tracks/${song.id}`);
  });

  test("a current client gets no status map and keeps its reply", async () => {
    for (const mapped of ["200", "400"]) {
      const reply = await ask(resolveHref(url, { "_status_code_map[302]": mapped }), {
        headers: { Authorization: `OAuth ${ana.token}` },
      });
      expect([reply.status, reply.headers.get("ETag")]).toEqual([200, expect.any(String)]);
    }
  });
});

describe("the location is always on {base_url} (X52)", () => {
  /** `fetch` cannot send a custom Host. */
  const locationFor = (path: string, headers: Record<string, string>): Promise<string | undefined> =>
    new Promise((fulfil, failed) => {
      const { hostname, port } = new URL(stack.urls.api);
      const sent = request({ hostname, port, path, headers }, (reply) => {
        reply.resume();
        fulfil(reply.headers.location);
      });
      sent.on("error", failed).end();
    });

  test("ignores other hosts that the request names (X67)", async () => {
    const path = resolveHref(url, { client_id: app.client_id });
    const expected = `${stack.urls.api}/tracks/${song.id}?client_id=${app.client_id}`;
    const hosts: Record<string, string>[] = [
      { "X-Forwarded-Host": "evil.example" },
      { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https" },
      { "X-Original-URL": "//evil.example/" },
      { "X-Rewrite-URL": "//evil.example/" },
      { Forwarded: "host=evil.example" },
      { "X-HTTP-Method-Override": "POST" },
    ];
    for (const headers of hosts)
      expect([headers, await locationFor(path, headers)]).toEqual([headers, expected]);
  });

  test("holds any parameter that it keeps", async () => {
    const evil = [
      "//evil.example",
      "@evil.example",
      "\\evil.example",
      "\r\nLocation: https://evil.example",
      "#",
      "&x=1",
    ];
    for (const text of evil) {
      const link = `${url}/..${text}`;
      const asked = [
        resolveHref(url, { client_id: app.client_id, callback: text, secret_token: text }),
        resolveHref(url, { client_id: app.client_id, "_status_code_map[302]": text, secret_token: text }),
        resolveHref(link, { client_id: app.client_id }),
        resolveHref(`${url}?secret_token=${text}`, { client_id: app.client_id }),
      ];
      for (const path of asked) {
        const reply = await ask(path);
        const location = new URL(reply.headers.get("Location") ?? stack.urls.api);
        expect([path, reply.status]).toEqual([
          path,
          expect.toSatisfy((status) => [302, 400, 404, 406].includes(status)),
        ]);
        expect(location.origin).toBe(stack.urls.api);
        await reply.arrayBuffer();
      }
    }
  });

  test("the current dialect never redirects", async () => {
    const reply = await ask(resolveHref(url), { headers: { Authorization: `OAuth ${ana.token}` } });
    expect([reply.status, reply.headers.get("Location")]).toEqual([200, null]);
  });
});
