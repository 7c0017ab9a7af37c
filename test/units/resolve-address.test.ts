import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAddress, resourceNamed } from "../../functions/api/resolve/address.ts";

const HOSTS = {
  API_URL: "https://api.sound.example",
  OLDER_API_URL: "https://older.sound.example",
  WEB_URL: "https://sound.example",
};

const ONE_ORIGIN = { API_URL: "http://localhost:8787", WEB_URL: "http://localhost:8787" };

const SECRET = "s-abcDEF123";

const meant = (url: string, hosts: Parameters<typeof resourceNamed>[1] = HOSTS) => resourceNamed(url, hosts);

const SONG = { kind: "track", owner: "ana", permalink: "song" };

describe("a page of the site", () => {
  test.each([
    ["/ana", { kind: "user", permalink: "ana" }],
    ["/ana/song", SONG],
    ["/ana/sets/summer", { kind: "playlist", owner: "ana", permalink: "summer" }],
    ["/apps/player", { kind: "app", permalink: "player" }],
    ["/ana/sets", { kind: "track", owner: "ana", permalink: "sets" }],
  ])("%s names the thing it shows", (path, expected) => {
    expect(resourceNamed(HOSTS.WEB_URL + path, HOSTS)).toEqual(expected);
  });

  test("a private page carries its secret token, in the path or the query", () => {
    for (const path of [
      `/ana/song/${SECRET}`,
      `/ana/song?secret_token=${SECRET}`,
      `/ana/song/${SECRET}?x=1#y`,
    ])
      expect(resourceNamed(HOSTS.WEB_URL + path, HOSTS)).toEqual({ ...SONG, secretToken: SECRET });
    expect(resourceNamed(`${HOSTS.WEB_URL}/ana/sets/summer/${SECRET}`, HOSTS)).toEqual({
      kind: "playlist",
      owner: "ana",
      permalink: "summer",
      secretToken: SECRET,
    });
  });

  test.each([
    "https://sound.example/ana/song/",
    "http://sound.example/ana/song",
    "HTTPS://SOUND.example/ana/song",
    "https://sound.example:443/ana/song",
    "http://sound.example:80/ana/song",
    "https://sound.example/ana/song?in=ben/sets/x&si=1",
    "https://sound.example/ana/song#t=0:30",
    "https://sound.example/%61na/s%6Fng",
    "https://sound.example/ana%2Fsong",
  ])("%s is another spelling of the same page", (url) => {
    expect(meant(url)).toEqual(SONG);
  });

  test.each([
    "",
    "/",
    "//",
    "/ana//song",
    "/ana/song/more",
    "/ana/song/s-",
    "/ana/song/s-abc/more",
    `/ana/sets/summer/${SECRET}/more`,
    "/ana/so ng",
    "/ana/../ben",
    "/ana/%2e%2e",
    "/ana/%",
    "/ana/%zz",
    "/ana/%E0%A4%A",
    "/ana/%00",
    "/ana/söng",
    "/ana\\song",
    `/${"a".repeat(201)}`,
  ])("%s is no page", (path) => {
    expect(meant(HOSTS.WEB_URL + path)).toBeUndefined();
  });
});

describe("a resource of the API", () => {
  test.each([
    ["/tracks/17", "track"],
    ["/users/17", "user"],
    ["/playlists/17", "playlist"],
    ["/apps/17", "app"],
    ["/tracks/soundcloud:tracks:17", "track"],
    ["/users/soundcloud%3Ausers%3A17", "user"],
    ["/tracks/17.json", "track"],
    ["/playlists/17.xml?client_id=x", "playlist"],
    ["/tracks/17/", "track"],
  ])("%s is named by its id, on either host", (path, kind) => {
    for (const host of [HOSTS.API_URL, HOSTS.OLDER_API_URL])
      expect(meant(host + path)).toEqual({ kind, id: 17 });
  });

  test("carries its secret token in the query", () => {
    expect(resourceNamed(`${HOSTS.API_URL}/tracks/17?secret_token=${SECRET}`, HOSTS)?.secretToken).toBe(
      SECRET,
    );
  });

  test.each([
    "/tracks/0",
    "/tracks/-1",
    "/tracks/1e3",
    "/tracks/0x10",
    "/tracks/1.0",
    "/tracks/٣",
    "/tracks/9007199254740993",
    `/tracks/${"9".repeat(400)}`,
    "/tracks/soundcloud:users:17",
    "/tracks/17/comments",
    "/tracks",
    "/me",
    "/constructor/17",
    "/ana/song",
  ])("%s is no resource (X38)", (path) => {
    expect(meant(HOSTS.API_URL + path)).toBeUndefined();
  });

  test("is found beside pages if both share an origin", () => {
    expect(meant(`${ONE_ORIGIN.WEB_URL}/tracks/17`, ONE_ORIGIN)).toEqual({ kind: "track", id: 17 });
    expect(meant(`${ONE_ORIGIN.WEB_URL}/apps/17`, ONE_ORIGIN)).toEqual({ kind: "app", id: 17 });
    expect(meant(`${ONE_ORIGIN.WEB_URL}/apps/player`, ONE_ORIGIN)?.kind).toBe("app");
    expect(meant(`${ONE_ORIGIN.WEB_URL}/ana/song`, ONE_ORIGIN)).toEqual(SONG);
  });

  test("is no page of the site, nor the reverse, if they have separate hosts", () => {
    expect(meant(`${HOSTS.WEB_URL}/tracks/17`)).toEqual({ kind: "track", owner: "tracks", permalink: "17" });
    expect(meant(`${HOSTS.API_URL}/ana`)).toBeUndefined();
  });
});

/** Addresses of other sites that contain the site's name somewhere. */
const FOREIGN = [
  "https://evil.example/ana/song",
  "https://www.sound.example/ana/song",
  "https://sound.example.evil.example/ana/song",
  "https://evil.example/sound.example/ana/song",
  "https://evil.example?https://sound.example/ana/song",
  "https://evil.example#https://sound.example/ana/song",
  "https://sound.example./ana/song",
  "https://sound.example:8443/ana/song",
  "http://sound.example:443/ana/song",
  "https://ѕound.example/ana/song",
  "https://ｓound.example/ana/song",
  "https://sound。example/ana/song",
  "https://xn--ound-t4d.example/ana/song",
  "http://169.254.169.254/latest/meta-data",
  "http://[::1]/ana/song",
  "http://0/ana/song",
  "http://127.1/ana/song",
];

const MALFORMED = [
  "",
  "ana/song",
  "/ana/song",
  "//sound.example/ana/song",
  "sound.example/ana/song",
  "soundcloud:tracks:17",
  "file:///etc/passwd",
  "file://sound.example/ana/song",
  "ftp://sound.example/ana/song",
  "javascript:alert(1)//sound.example/ana",
  "data:text/html,https://sound.example/ana",
  "https:sound.example/ana",
  "https:/sound.example/ana",
  "https:///sound.example/ana",
  "https:\\\\sound.example\\ana",
  "https://sound.example\\@evil.example/ana",
  "https://sound.example@evil.example/ana",
  "https://evil.example@sound.example/ana",
  "https://ana:secret@sound.example/ana",
  "https://sound.exam\nple/ana",
  "https://sound .example/ana",
  "https://",
];

test.each(FOREIGN)("%s belongs to another host (X53)", (url) => {
  expect(isAddress(url)).toBe(true);
  expect(resourceNamed(url, HOSTS)).toBeUndefined();
});

test.each(MALFORMED)("%j is no URL (X53)", (url) => {
  expect(isAddress(url)).toBe(false);
  expect(resourceNamed(url, HOSTS)).toBeUndefined();
});

test("any input parses without throwing, to a word that can be looked up", () => {
  const tail = fc.oneof(fc.string({ unit: "binary" }), fc.webPath(), fc.webUrl());
  const url = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.tuple(fc.constantFrom(...Object.values(HOSTS)), tail).map(([host, rest]) => `${host}/${rest}`),
  );
  fc.assert(
    fc.property(url, (given) => {
      const { kind, id, permalink = id, owner = permalink } = resourceNamed(given, HOSTS) ?? {};
      const words = kind ? [String(permalink), String(owner)] : [];
      for (const word of words) expect(word).toMatch(/^[\w-]{1,200}$/);
    }),
    { numRuns: 2_000 },
  );
});

test("a URL of a megabyte takes negligible time", () => {
  for (const filler of ["/", "a", "/a", "?", "%", "%41", "s-", ":", "\\"]) {
    const long = HOSTS.WEB_URL + filler.repeat(1_000_000 / filler.length);
    expect(meant(long)?.kind ?? "none").toMatch(/none/);
  }
});
