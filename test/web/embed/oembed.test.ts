import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extract, hasProvider, setProviderList } from "oembed-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Oembed } from "../../../functions/web/embed/representation.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { readXml } from "../../support/xml.ts";

let ana: Person;
let track: Track;
let hidden: Track;
let set: Playlist;
let page: string;

const trackOf = async (columns: Record<string, unknown>) =>
  (await api.as(ana).get<Track>(`/tracks/${(await createPlayableTrack(ana, columns)).id}`)).body;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
  track = await trackOf({ title: `"A" </script><b>song</b>`, description: "It is <b>good</b> &amp; warm" });
  hidden = await trackOf({ sharing: "private" });
  set = await createPlaylist(ana, { title: "A set", tracks: [{ id: track.id }] });
  page = track.user.permalink_url;
});

/** Requires no token. */
const asked = <Body = Oembed>(url: string | undefined, more: Record<string, string> = {}) =>
  api.get<Body>(`/oembed?${new URLSearchParams({ ...(url !== undefined && { url }), ...more })}`);

/** The URL that the markup loads. */
const sourceOf = ({ html }: Oembed) =>
  new URL(/src="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "");

describe("an embed", () => {
  test("a track: every field of the format, as text", async () => {
    const { status, body } = await asked(track.permalink_url);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: 1,
      type: "rich",
      provider_name: "Soundpost",
      provider_url: `${stack.urls.api}/`,
      width: "100%",
      height: 166,
      title: `${track.title} by ${ana.username}`,
      description: "It is good & warm",
      author_name: ana.username,
      author_url: page,
      thumbnail_url: expect.stringMatching(/\/cover\/t500x500\.png$/),
    });
    expect(body.html).toMatch(/^<iframe [^<>]*><\/iframe>$/);
    expect(sourceOf(body).origin + sourceOf(body).pathname).toBe(`${stack.urls.api}/player/`);
    expect(sourceOf(body).searchParams.get("url")).toBe(track.uri);
  });

  test.each([
    ["a playlist", () => set.permalink_url, 450, () => `A set by ${ana.username}`],
    ["a user", () => page, 450, () => ana.username],
    ["a resource of the API", () => set.uri, 450, () => `A set by ${ana.username}`],
  ])("%s", async (_, url, height, title) => {
    const { body } = await asked(url());
    expect([body.height, body.title, body.description]).toEqual([height, title(), ""]);
  });

  test.each([
    [{}, "100%", 166],
    [{ maxwidth: "480", maxheight: "90" }, 480, 90],
    [{ maxwidth: "100%" }, "100%", 166],
    [{ iframe: "false" }, "100%", 81],
    [{ iframe: "false", maxheight: "120" }, "100%", 120],
  ])("%j is %s wide and %i high, also in its markup", async (given, width, height) => {
    const { body } = await asked(track.permalink_url, given);
    expect([body.width, body.height]).toEqual([width, height]);
    expect(body.html).toContain(`width="${width}" height="${height}"`);
  });

  test.each([
    [{}, "t500x500", 500],
    [{ maxwidth: "100%", maxheight: "500" }, "t500x500", 500],
    [{ maxwidth: "480", maxheight: "1000" }, "crop", 400],
    [{ maxwidth: "480", maxheight: "90" }, "badge", 47],
    [{ maxwidth: "1" }, "mini", 16],
  ])("%j: the thumbnail keeps the limits", async (given, format, side) => {
    const { body } = await asked(page, given);
    expect(body.thumbnail_url).toMatch(new RegExp(`-${format}\\.jpg$`));
    expect([body.thumbnail_width, body.thumbnail_height]).toEqual([side, side]);
  });

  test("the older widget's heights, and markup with the current player", async () => {
    const heights = [track.permalink_url, set.permalink_url, page].map(
      async (url) => (await asked(url, { iframe: "false" })).body.height,
    );
    expect(await Promise.all(heights)).toEqual([81, 305, 305]);
    const { html } = (await asked(track.permalink_url, { iframe: "false" })).body;
    expect(html).toMatch(/^<object .*<param name="movie" .*<embed .*<\/object>$/);
  });

  test("colour, autostart and comments are passed to the player", async () => {
    const given = { color: "#FF5500", auto_play: "true", show_comments: "false" };
    const { searchParams } = sourceOf((await asked(track.permalink_url, given)).body);
    expect(Object.fromEntries(searchParams)).toEqual({
      url: track.uri,
      color: "ff5500",
      auto_play: "true",
      show_comments: "false",
    });
  });

  test("the same as XML and as JSONP", async () => {
    const { body } = await asked(track.permalink_url);
    const query = new URLSearchParams({ url: track.permalink_url });
    for (const path of [`/oembed?format=xml&${query}`, `/oembed.xml?${query}`]) {
      const xml = await fetch(stack.urls.api + path);
      expect(xml.headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
      expect(readXml(await xml.text())).toEqual(body);
    }
    for (const path of [`/oembed?format=js&callback=got&${query}`, `/oembed.json?callback=got&${query}`]) {
      const script = await fetch(stack.urls.api + path);
      expect(script.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
      const text = await script.text();
      // X45: no character could end a script element.
      expect(text).not.toMatch(/[<>&]/);
      expect(JSON.parse(text.slice("/**/got(".length, -");".length))).toEqual(body);
    }
  });
});

describe("a refusal", () => {
  test.each([
    ["no address", undefined, {}],
    ["maxwidth is markup", "", { maxwidth: '"><' }],
    ["maxwidth is negative", "", { maxwidth: "-1" }],
    ["maxwidth is no number", "", { maxwidth: "1e9" }],
    ["maxheight is too much", "", { maxheight: "1000000000" }],
    ["maxheight is in percent", "", { maxheight: "100%" }],
    ["color is more than that", "", { color: "red;}" }],
    ["auto_play is neither", "", { auto_play: "perhaps" }],
    ["JSONP without its callback", "", { format: "js" }],
  ])("400: %s (X99)", async (_, url, given: Record<string, string>) => {
    const { status, body } = await asked<ErrorReply>(url === undefined ? url : track.permalink_url, given);
    expect([status, body.errors.length]).toEqual([400, 1]);
  });

  test("406: an unsupported format (X99)", async () => {
    expect((await asked(track.permalink_url, { format: "png" })).status).toBe(406);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://127.0.0.1:1/",
    "http://ｌocalhost/a",
    `http://localhost/${"a".repeat(3_500)}`,
  ])("404: %j, without any request to it (X54)", async (url) => {
    expect((await asked(url)).status).toBe(404);
  });

  test.each([
    "file:///etc/passwd",
    "//example.com/a/b",
    "http://example.com@localhost/",
    "http:\\\\localhost\\a",
    "javascript:alert(1)",
    "nonsense",
  ])("400: %j is malformed, and url is named (X54)", async (url) => {
    const { status, body } = await asked<ErrorReply>(url);
    expect([status, body.errors[0]?.error_message]).toEqual([
      400,
      "url: must be an address that begins with http:// or https://",
    ]);
  });

  test("400: an empty url is missing", async () => {
    const { status, body } = await asked<ErrorReply>("");
    expect([status, body.errors[0]?.error_message]).toEqual([400, "url: is missing"]);
  });

  test("404: private content without its secret, which no reply contains (X10)", async () => {
    const [without, unknown] = [
      await asked<ErrorReply>(hidden.permalink_url),
      await asked<ErrorReply>(`${page}/nothing`),
    ];
    const request_id = without.headers.get("X-Request-Id");
    expect([without.status, without.body]).toEqual([404, { ...unknown.body, request_id }]);
    expect((await asked(`${hidden.permalink_url}/s-wrong`)).status).toBe(404);
    const secret = hidden.secret_token ?? "";
    const { status, body, headers } = await asked(`${hidden.permalink_url}/${secret}`);
    expect([status, headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
    expect(sourceOf(body).searchParams.get("url")).toBe(hidden.secret_uri);
    expect(JSON.stringify((await asked(`${track.permalink_url}/${secret}`)).body)).not.toContain(secret);
  });

  test.each(["me", "none"])("403: embedding by %s, for the player as well", async (embeddable_by) => {
    const { permalink_url, uri } = await trackOf({ embeddable_by });
    expect((await asked(permalink_url)).status).toBe(403);
    const player = await fetch(`${stack.urls.api}/player/?url=${encodeURIComponent(uri)}`);
    expect(player.status).toBe(403);
    expect(await player.text()).not.toContain("<audio");
  });
});

describe("the player's page", () => {
  const player = (url: string) => fetch(`${stack.urls.api}/player/?url=${encodeURIComponent(url)}`);

  test("may be framed by any page and carries the attribution", async () => {
    const reply = await player(track.uri);
    expect(reply.headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
    expect(reply.headers.get("X-Frame-Options")).toBeNull();
    const html = await reply.text();
    expect(html).not.toContain("<b>song");
    for (const link of [page, track.permalink_url, `${stack.urls.api}/`])
      expect(html).toContain(`href="${link}" target="_blank"`);
  });

  test("links to the creator of a private track, not to the track", async () => {
    expect((await player(hidden.uri)).status).toBe(404);
    const html = await (await player(hidden.secret_uri ?? "")).text();
    expect(html).toContain(`href="${page}"`);
    expect(html).not.toContain(`href="${hidden.permalink_url}`);
  });

  test("accepts ids and URNs and ignores invalid options", async () => {
    const urn = track.uri.replace(/\d+$/, track.urn);
    expect((await player(urn)).status).toBe(200);
    const rubbish = await fetch(
      `${stack.urls.api}/player/?color=x&auto_play=9&start_track=-1&start_track=a&url=${encodeURIComponent(set.uri)}`,
    );
    expect([rubbish.status, (await rubbish.text()).includes("<audio")]).toEqual([200, true]);
    expect((await fetch(`${stack.urls.api}/player`)).status).toBe(404);
  });
});

describe("oembed-parser, unmodified", () => {
  const relay = createServer(async ({ url = "" }, reply) => {
    // The library requires https, but the local stack uses http.
    const asked = decodeURIComponent(url.slice(2)).replace(/^https:/, "http:");
    const answered = await fetch(asked);
    reply.writeHead(answered.status).end(await answered.text());
  });

  beforeAll(async () => {
    await new Promise<void>((ready) => relay.listen(0, "127.0.0.1", ready));
    const { href } = new URL("/oembed", stack.urls.api);
    const schemes = ["/*", "/*/*", "/*/sets/*"].map((path) => stack.urls.api + path);
    setProviderList([
      {
        provider_name: "Soundpost",
        provider_url: stack.urls.api,
        endpoints: [{ schemes, url: href, formats: ["json", "xml"], discovery: true }],
      },
    ]);
  });

  afterAll(() => void relay.close());

  test.each([() => track.permalink_url, () => set.permalink_url, () => page])(
    "finds the embed",
    async (url) => {
      const { port } = relay.address() as AddressInfo;
      expect(hasProvider(url())).toBe(true);
      const found = await extract(
        url(),
        { maxwidth: 300 },
        { proxy: { target: `http://127.0.0.1:${port}/?` } },
      );
      expect(found).toEqual((await asked(url(), { maxwidth: "300" })).body);
    },
  );
});
