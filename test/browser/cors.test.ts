import { expect, test } from "vitest";
import { api } from "../support/api.ts";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { openBlog } from "./blog.ts";
import { launchBrowser } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
const blog = openBlog();

const addressesIn = (value: unknown): string[] => {
  if (typeof value === "string") return /^https?:/.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(addressesIn) : [];
};

/** Pages are opened, not read by other pages. */
async function isPage(url: string, headers: Record<string, string>): Promise<boolean> {
  const reply = await fetch(url, { headers: { Accept: "text/html", ...headers } });
  await reply.body?.cancel();
  return reply.headers.get("Content-Type")?.startsWith("text/html") ?? false;
}

/** Ways to ask that lead to each kind of reply. All but the first ask for leave before. */
const WAYS: [what: string, init: { method?: string; headers?: Record<string, string> }][] = [
  ["plainly", {}],
  ["with a header", { headers: { "X-Request-Id": "a-sweep-of-addresses" } }],
  ["for the head", { method: "HEAD", headers: { "X-Request-Id": "a-sweep-of-addresses" } }],
  ["for any other version", { headers: { "If-None-Match": "*" } }],
  ["for a version that is gone", { headers: { "If-Match": '"gone"' } }],
  ["for bytes beyond the end", { headers: { Range: "bytes=99999999999-" } }],
  ["by another method", { method: "PUT" }],
];

/** Leads to nothing of the same kind. The last are static files. */
const MISSING: [RegExp, string][] = [
  [/(?<=:\d+\/)(?=[^/]+\/.*(?:feed\.xml|\.mp3|chapters\.json)$)(?!media\/)/, "nobody-"],
  [/(?=\.jpg$)/, "-missing"],
];

test("a page of another site may read each address that the API and feeds hand out, whatever the reply", async () => {
  const ana = await createUser();
  const description = "0:00 Begin\n0:02 Middle\n0:04 End";
  const track = await finishedTrack(ana, { downloadable: true, description });
  const tracks = [{ id: track.id }];
  const set = await api.as(ana).post<{ id: number; permalink_url: string }>("/playlists", {
    json: { playlist: { title: "Set", sharing: "public", tracks } },
  });
  await api
    .as(ana)
    .post(`/tracks/${track.id}/comments`, { json: { comment: { body: "Nice", timestamp: 1 } } });
  const paths = [
    "/me",
    "/me/tracks?linked_partitioning=true&limit=1",
    `/users/${ana.id}`,
    `/tracks/${track.id}`,
    `/tracks/${track.id}/streams`,
    `/tracks/${track.id}/comments`,
    `/playlists/${set.body.id}`,
    `/oembed?${new URLSearchParams({ url: track.permalink_url, format: "json" })}`,
    `/resolve?${new URLSearchParams({ url: track.permalink_url })}`,
  ];
  const Authorization = `OAuth ${ana.token}`;
  const replies = await Promise.all(
    paths.map(async (path) => (await fetch(stack.urls.api + path, { headers: { Authorization } })).json()),
  );
  const feeds = [`${stack.urls.web}/${ana.username}/feed.xml`, `${set.body.permalink_url}/feed.xml`];
  const texts = await Promise.all(feeds.map(async (feed) => (await fetch(feed)).text()));
  const ofFeeds = texts.flatMap((text) =>
    Array.from(text.matchAll(/(?:url|href)="(http[^"]+)"/g), ([, url = ""]) => url.replaceAll("&amp;", "&")),
  );
  const origins = [stack.urls.api, stack.urls.web, stack.urls.objects];
  const handedOut = [
    ...paths.map((path) => stack.urls.api + path),
    ...feeds,
    ...ofFeeds,
    ...addressesIn(replies),
    `${stack.urls.api}/tracks/${track.id}/download`,
    `${stack.urls.api}/openapi.json`,
  ].filter((url) => origins.includes(new URL(url).origin));
  const found = [...new Set(handedOut)];
  const pages = await Promise.all(found.map((url) => isPage(url, { Authorization })));
  const urls = found.filter((_, place) => !pages[place]);
  for (const part of ["/feed.xml", ".mp3", "/chapters.json", "/download", "/stream", "waveform", ".m3u8"])
    expect(urls.filter((url) => new URL(url).pathname.includes(part)).length, part).toBeGreaterThan(0);

  const asks = urls.flatMap((url) => {
    const { origin } = new URL(url);
    const own: Record<string, string> =
      origin === stack.urls.api && !url.includes("/media/") ? { Authorization } : {};
    const missing = url.replace(...(MISSING.find(([part]) => part.test(url)) ?? [/$/, "/missing"]));
    return [
      ...WAYS.map(([what, init]) => [url, what, init] as const),
      [missing, "of nothing", {}] as const,
    ].map(([at, what, init]) => ({ at, what, init: { ...init, headers: { ...own, ...init.headers } } }));
  });
  const { page } = await browser.visit(blog(""));
  const statuses: (number | string)[] = await page.evaluate(
    (all) =>
      Promise.all(
        all.map(async ({ at, init }) => {
          try {
            const reply = await fetch(at, { ...init, cache: "no-store" });
            await reply.arrayBuffer();
            return reply.status;
          } catch (error) {
            return String(error);
          }
        }),
      ),
    asks,
  );
  const blocked = asks.flatMap(({ at, what }, place) =>
    typeof statuses[place] === "string" ? [`${what}: ${at}`] : [],
  );
  expect(blocked).toEqual([]);
  for (const status of [200, 304, 404, 405, 412, 416]) expect(statuses).toContain(status);
});
