import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Playlist } from "../../functions/playlists/representation.ts";
import { api } from "../support/api.ts";
import { bands, createPng } from "../support/images.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { createRetryableTrack, createTrack, uploadFinishedTrack } from "../support/tracks.ts";
import { launchBrowser, overflow } from "./browser.ts";
import { signInByForm, storageStateOf } from "./sign-in.ts";
import { cardOf, choose, taggedFile } from "./upload.support.ts";

/**
 * Takes a picture of every page in four looks, into the folder that `PICTURES` names, for people to look at.
 * `LOOKS` may name some of them, such as "390-dark".
 */

const browser = launchBrowser();
const folder = process.env.PICTURES ?? "";

const JAPANESE = "港の夜明け ～波の音と古い汽笛の記録、冬の朝に一人で聴いたもの～";
const HEBREW = "שחר בנמל: צלילי הגלים והצופר הישן";
const LONG = "A very long title about an evening by the harbour, when the boats came home and nobody spoke";

/** Two people with everything that pages can show. Returns the pages of the first. */
async function fill(ana: Person, ben: Person) {
  const described = {
    genre: "Folk",
    tag_list: 'harbour "field recording" 冬',
    description: "One evening.\n\nTwo.",
  };
  const made = [];
  for (const title of ["Harbour at dawn", JAPANESE, HEBREW, LONG])
    made.push(await uploadFinishedTrack(ana, { title, ...described }));
  const [track] = made;
  if (!track) throw new Error("There is no track");
  for (const [at, { id }] of made.entries()) {
    const form = new FormData();
    const picture = at
      ? await (await bands(900, 900 - 250 * at)).png().toBuffer()
      : await createPng(1400, 1400);
    form.set("track[artwork_data]", new Blob([new Uint8Array(picture)]), "cover.png");
    if (at < 3) await api.as(ana).put(`/tracks/${id}`, { raw: form });
    for (const [text, timestamp] of [
      ["What a harbour", 900],
      [HEBREW, 2500],
      [LONG.repeat(4), 4000],
    ] as const)
      await api.as(ben).post(`/tracks/${id}/comments`, { json: { comment: { body: text, timestamp } } });
    await api.as(ben).post(`/likes/tracks/${id}`);
    await api.as(ana).post(`/likes/tracks/${id}`);
    await api.as(ben).post(`/reposts/tracks/${id}`);
  }
  await sql("update tracks set playback_count = 1234567 where id = $1", [track.id]);
  await createTrack(ana, { title: "In the works", permalink: "waits" });
  await createRetryableTrack(ana, { title: "Broken", permalink: "broken" });
  await createTrack(ana, { title: "Diary", permalink: "diary", sharing: "private" });
  const tracks = made.map(({ id }) => ({ id }));
  const sets = ["Evenings by the sea", JAPANESE].map((title) =>
    api.as(ana).post<Playlist>("/playlists", { json: { playlist: { title, sharing: "public", tracks } } }),
  );
  const [set] = await Promise.all(sets);
  await api.as(ben).put(`/me/followings/${ana.id}`);
  await api.as(ana).put(`/me/followings/${ben.id}`);
  await uploadFinishedTrack(ben, { title: "An answer from Ben" });
  const address = "https://example.com/a/rather/long/path/for/a/webhook";
  const hook = await api.as(ana).post<{ id: number }>("/me/webhooks", {
    json: { url: address, events: ["follow.created"] },
  });
  return { track, set: set?.body, hook: hook.body.id };
}

const LOOKS = [390, 1440]
  .flatMap((width) => (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })))
  .filter(({ width, colorScheme }) =>
    (process.env.LOOKS ?? `${width}-${colorScheme}`).includes(`${width}-${colorScheme}`),
  );

test.runIf(folder)(
  "every page has its picture, and none is wider than its window",
  async () => {
    mkdirSync(folder, { recursive: true });
    const [ana, ben] = [await createUserWithPassword({ plan: "artist" }), await createUserWithPassword()];
    const { track, set, hook } = await fill(ana, ben);
    const me = `/${ana.username}`;
    const [trackPath, setPath] = [track.permalink_url, set?.permalink_url ?? ""].map(
      (url) => new URL(url).pathname,
    );
    const player = (url: string) => `/player/?${new URLSearchParams({ url })}`;
    const both: Record<string, string> = {
      ...{
        home: "/",
        discover: "/discover",
        search: "/search?q=harbour",
        "search-none": "/search?q=xyzzyqwert",
      },
      ...{
        tag: "/tags/harbour",
        profile: me,
        sets: `${me}/sets`,
        reposts: `${me}/reposts`,
        likes: `${me}/likes`,
      },
      ...{ followers: `${me}/followers`, following: `${me}/following`, "other-profile": `/${ben.username}` },
      ...{
        "other-sets": `/${ben.username}/sets`,
        track: `${trackPath}`,
        set: `${setPath}`,
        nothing: "/nobody/here",
      },
      ...{ waits: `${me}/waits`, terms: "/terms", privacy: "/privacy", report: "/report?url=x" },
      ...{ "player-track": player(track.permalink_url), "player-set": player(set?.permalink_url ?? "") },
      ...{ "player-visual": `${player(track.permalink_url)}&visual=true` },
    };
    const visitors = { signin: "/signin", signup: "/signup", forgot: "/forgot" };
    const own = {
      ...{ "you-tracks": "/you/tracks", "you-sets": "/you/sets", "new-set": "/you/sets/new" },
      ...{ library: "/you/library", history: "/you/history", notifications: "/you/notifications" },
      ...{
        links: "/you/links",
        connections: "/you/connections",
        webhooks: "/you/webhooks",
        apps: "/you/apps",
      },
      ...{ webhook: `/you/webhooks/${hook}`, settings: "/settings", broken: `${me}/broken` },
      ...{ "edit-track": `${trackPath}/edit`, "edit-set": `${setPath}/edit`, diary: `${me}/diary` },
      ...{ "add-to-set": `/you/sets/add?track=${track.id}`, delete: `/you/tracks/${track.id}/delete` },
    };
    const { page } = await browser.visit(`${stack.urls.api}/session/new?next=/you/tracks`);
    await signInByForm(page, ana);
    await page.getByRole("heading", { name: "Your tracks" }).waitFor();
    const storageState = await storageStateOf(page);
    const wide: string[] = [];
    for (const { width, colorScheme } of LOOKS) {
      const options = { viewport: { width, height: 900 }, colorScheme };
      const look = async (who: string, pages: Record<string, string>, state = {}) => {
        const { page } = await browser.visit(`${stack.urls.api}/terms`, { ...options, ...state });
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(stack.urls.api + path, { waitUntil: "load" });
          if (await take(page, `${name}-${who}-${width}-${colorScheme}`))
            wide.push(`${name} ${width} ${who}`);
        }
        return page;
      };
      const visitor = await look("visitor", { ...both, ...visitors });
      await playAndTake(visitor, `${setPath}`, `playing-visitor-${width}-${colorScheme}`);
      const owner = await look("owner", { ...both, ...own }, { storageState });
      await owner.goto(`${stack.urls.api}/upload`);
      await take(owner, `upload-empty-owner-${width}-${colorScheme}`);
      await choose(owner, await taggedFile(`${LONG}.mp3`, LONG), await taggedFile("b.mp3", JAPANESE));
      await cardOf(owner, LONG).getByText("Ready", { exact: true }).waitFor();
      await take(owner, `upload-owner-${width}-${colorScheme}`);
      await owner.locator(".menu summary").click();
      await take(owner, `menu-owner-${width}-${colorScheme}`);
    }
    expect(wide).toEqual([]);
  },
  900_000,
);

/** Returns by how many pixels the page is too wide. */
async function take(page: Page, name: string): Promise<number> {
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true, timeout: 90_000 });
  return await overflow(page);
}

async function playAndTake(page: Page, path: string, name: string): Promise<void> {
  await page.goto(stack.urls.api + path);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Play / })
    .nth(1)
    .click();
  await page.getByRole("button", { name: "Queue and settings" }).click();
  await page.screenshot({ path: `${folder}/${name}.png` });
}
