import { beforeAll, describe, expect, test } from "vitest";
import { get } from "../../api/media/media-files.ts";
import { createPlaylist, named } from "../../api/playlists/playlists.ts";
import { Browser } from "../../support/browser.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";
import { parseXml } from "../../support/xml.ts";
import { textIn } from "./podcasts.support.ts";
import { startThreeHosts, threeHosts } from "./three-hosts.ts";

const at = (path: string) => stack.urls.api + path;

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
  const { id } = await createPlayableTrack(ana, { permalink: "open" });
  await createPlayableTrack(ana, { permalink: "diary", sharing: "private" });
  await createTrack(ana, { permalink: "broken", state: "failed" });
  await createPlaylist(ana, { title: "Shown", tracks: named([id]) });
  await createPlaylist(ana, { title: "Hidden", sharing: "private" });
});

async function locationsIn(url: string) {
  const { status, headers, bytes } = await get(url);
  expect([status, headers.get("Content-Type")]).toEqual([200, "application/xml"]);
  expect(headers.get("Server-Timing")).toContain("queries: 1");
  return parseXml(bytes.toString()).children.map((entry) => textIn(entry, "loc") ?? "");
}

describe("the sitemap", () => {
  test("names what is public, and nothing else", async () => {
    const pages = await locationsIn(at("/sitemap.xml"));
    const all = (await Promise.all(pages.map(locationsIn))).flat();
    const own = all.filter((url) => url.includes(ana.username));
    expect(own.sort()).toEqual([
      at(`/${ana.username}`),
      at(`/${ana.username}/open`),
      at(`/${ana.username}/sets/shown`),
    ]);
  });

  test("has pages that begin where the index says, in the order of their keys", async () => {
    const [first, second] = await Promise.all(
      ["a", "b"].map((permalink) => createPlayableTrack(ana, { permalink })),
    );
    const from = Math.max(first?.id ?? 0, second?.id ?? 0);
    const urls = await locationsIn(at(`/sitemaps/tracks-${ana.id}-${from}.xml`));
    expect(urls.filter((url) => url.includes(ana.username)).length).toBe(1);
    expect((await get(at("/sitemaps/tracks-x.xml"))).status).toBe(404);
    expect((await get(at("/sitemaps/tracks-1.xml"))).status).toBe(404);
  });

  test("leaves out users who left", async () => {
    const gone = await createUser();
    const { id } = await createPlayableTrack(gone);
    await sql("update users set disabled_at = now() where id = $1", [gone.id]);
    const urls = [
      ...(await locationsIn(at(`/sitemaps/tracks-${gone.id}-${id}.xml`))),
      ...(await locationsIn(at(`/sitemaps/users-${gone.id}.xml`))),
    ];
    expect(urls.filter((url) => url.includes(gone.username))).toEqual([]);
  });
});

test("the index of a large sitemap is written once for all who ask", async () => {
  // A host of its own has a cache of its own.
  const service = await startThreeHosts();
  const many = await createUser();
  const { id } = await createPlaylist(many, { sharing: "public" });
  try {
    const asked = async () => {
      const { html, queries } = await service.open().get("web", "/sitemap.xml");
      return { html, queries };
    };
    expect([(await asked()).queries, (await asked()).queries]).toEqual([1, 1]);
    await sql(
      `insert into playlists (id, user_id, title, permalink, sharing, secret_hash, secret_sealed)
       select 9000000 + n, user_id, title, n, sharing, decode(md5(n::text), 'hex'), secret_sealed
       from playlists, generate_series(1, 10001) n where id = $1`,
      [id],
    );
    const { html } = await asked();
    expect(html.match(/sitemaps\/sets-/g)?.length).toBeGreaterThan(1);
    await expect.poll(asked).toEqual({ html, queries: 0 });
  } finally {
    await sql("delete from playlists where user_id = $1", [many.id]);
    await service.stop();
  }
});

test("robots.txt leads to the sitemap and keeps robots out of people's own pages", async () => {
  const { headers, bytes } = await get(at("/robots.txt"));
  expect(headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  const lines = bytes.toString().split("\n");
  const sitemaps = ["/sitemap.xml", "/docs/sitemap.xml"].map((path) => `Sitemap: ${at(path)}`);
  expect(lines).toEqual(expect.arrayContaining(["User-agent: *", "Disallow: /you/", ...sitemaps]));
  expect(lines).not.toContain("Disallow: /");
  // A user may be called `signing-off`. RFC 9309 §2.2.2: a path is closed that begins like a rule.
  const rules = lines.flatMap((line) => /^Disallow: (.*)$/.exec(line)?.[1] ?? []);
  const isClosed = (path: string) =>
    rules.some((rule) => (rule.endsWith("$") ? path === rule.slice(0, -1) : path.startsWith(rule)));
  expect(["/settings", "/signin?next=x", "/signup"].filter(isClosed)).toHaveLength(3);
  expect(["/settings-of-love/one", "/signing-off", "/signups"].filter(isClosed)).toEqual([]);
});

test("the manifest's icons and the page's are of the size that they declare", async () => {
  const { bytes, headers } = await get(at("/manifest.webmanifest"));
  expect(headers.get("Content-Type")).toBe("application/manifest+json");
  const { name, icons } = JSON.parse(bytes.toString());
  expect(name).toBe("Soundpost");
  const { html } = await new Browser().get("/");
  expect(html).toContain(`rel="manifest" href="${at("/manifest.webmanifest")}"`);
  const [, touch = ""] = /rel="apple-touch-icon" href="([^"]+)"/.exec(html) ?? [];
  for (const { src, sizes } of [
    ...icons,
    { src: touch, sizes: "180x180" },
    { src: at("/favicon.ico"), sizes: "48x48" },
  ]) {
    const png = (await get(src)).bytes;
    expect([png.subarray(1, 4).toString(), `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`]).toEqual([
      "PNG",
      sizes,
    ]);
  }
});

describe("the worker for when there is no network", () => {
  test("names this deployment's files, is asked for again, and has a policy of its own", async () => {
    const { bytes, headers } = await get(at("/offline-worker.js"));
    expect(headers.get("Cache-Control")).toBe("no-cache");
    expect(headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; script-src 'self'; connect-src 'self'",
    );
    const [, path = ""] = /importScripts\("([^"]+)"\)/.exec(bytes.toString()) ?? [];
    expect((await get(at(path))).headers.get("Content-Type")).toContain("javascript");
  });

  test("is replaced, where it is switched off, by one that forgets everything and ends", async () => {
    const service = await startThreeHosts({ OFFLINE_PAGES: "off" });
    try {
      const browser = service.open();
      expect((await browser.get("web", "/offline-worker.js")).html).toContain("registration.unregister()");
      expect((await browser.get("web", "/")).html).not.toContain("offline-worker");
    } finally {
      await service.stop();
    }
  });

  test("is told which pages it may keep, and for whom", async () => {
    const service = await threeHosts();
    const [visitor, ana, bea] = [
      service.open(),
      await service.enter(await createUser()),
      await service.enter(await createUser()),
    ];
    const headersOf = async (browser: typeof visitor, path: string) => {
      const { headers } = await browser.get("web", path);
      return [headers["offline-reader"], headers["offline-keep"]];
    };
    expect(await headersOf(visitor, "/discover")).toEqual(["visitor", "yes"]);
    const [name, keep] = await headersOf(ana, "/you/library");
    expect([name?.length, keep]).toEqual([22, "yes"]);
    expect((await headersOf(bea, "/you/library"))[0]).not.toBe(name);
    for (const path of ["/upload", "/you/tracks", "/you/webhooks", "/report", "/discover?secret_token=s-x"])
      expect(await headersOf(ana, path)).toEqual([name, undefined]);
    expect(await headersOf(visitor, "/nobody/nothing")).toEqual(["visitor", undefined]);
  });
});

test("security.txt names a contact and has not expired", async () => {
  const text = (await get(at("/.well-known/security.txt"))).bytes.toString();
  expect(text).toContain("Contact: mailto:security@soundpost.example\n");
  expect(Date.parse(/Expires: (.+)/.exec(text)?.[1] ?? "")).toBeGreaterThan(Date.now());
});

test("terms and privacy are pages that every page leads to", async () => {
  const { html } = await new Browser().get("/");
  for (const path of ["/terms", "/privacy", "/report"]) {
    expect(html).toContain(`href="${at(path)}"`);
    expect((await new Browser().get(path)).status).toBe(200);
  }
});

describe("a track page's head", () => {
  const headOf = async (path: string) => (await new Browser().get(path)).html.split("</head>")[0] ?? "";

  test("leads to the feed, the API's address and the audio", async () => {
    const head = await headOf(`/${ana.username}/open`);
    expect(head).toContain(`type="application/rss+xml" href="${at(`/${ana.username}/feed.xml`)}"`);
    expect(head).toMatch(/type="application\/json" href="[^"]+\/tracks\/\d+"/);
    expect(head).toContain(`property="og:audio" content="${at(`/${ana.username}/open/audio.mp3`)}"`);
    expect(head).toContain('name="twitter:player"');
  });

  test("describes the recording by schema.org, whatever its title holds", async () => {
    await createPlayableTrack(ana, { permalink: "odd", title: "</script><b>", track_type: "podcast" });
    const head = await headOf(`/${ana.username}/odd`);
    const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      "@type": "PodcastEpisode",
      name: "</script><b>",
      duration: "PT10S",
      associatedMedia: { "@type": "AudioObject", contentUrl: at(`/${ana.username}/odd/audio.mp3`) },
    });
    const song = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(
      await headOf(`/${ana.username}/open`),
    )?.[1];
    expect(JSON.parse(song ?? "")).toMatchObject({
      "@type": "MusicRecording",
      byArtist: { name: ana.username },
    });
  });

  test("of a profile or set counts sounds and leads to its feed", async () => {
    const profile = await headOf(`/${ana.username}`);
    expect(profile).toMatch(/property="soundcloud:sound_count" content="\d+"/);
    expect(profile).toContain(`/users/${ana.id}"`);
    const set = await headOf(`/${ana.username}/sets/shown`);
    expect(set).toContain(`href="${at(`/${ana.username}/sets/shown/feed.xml`)}"`);
  });

  test("of a private track says nothing to machines", async () => {
    const { secret } = await createPlayableTrack(ana, { permalink: "still", sharing: "private" });
    const head = await headOf(`/${ana.username}/still/${secret}`);
    expect(head).toContain('name="robots" content="noindex"');
    expect(head).not.toMatch(/ld\+json|og:audio|rss\+xml/);
  });
});

test("previews of a long text end before an emoji, not in the middle of it", async () => {
  for (const length of [299, 999]) {
    const description = `${"x".repeat(length)}\u{1F3A7} and on`;
    await createPlayableTrack(ana, { description, permalink: `long-${length}` });
    const html = (await get(at(`/${ana.username}/long-${length}`))).bytes.toString();
    expect([length, html.includes("\uFFFD")]).toEqual([length, false]);
    const [, data = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    expect([length, JSON.parse(data).description.isWellFormed()]).toEqual([length, true]);
  }
});
