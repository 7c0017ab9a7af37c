import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Playlist } from "../../functions/playlists/representation.ts";
import { api } from "../support/api.ts";
import { bands, createPng } from "../support/images.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { sql, stack } from "../support/stack.ts";
import { createRetryableTrack, createTrack, uploadFinishedTrack } from "../support/tracks.ts";
import { faultsOfAccess } from "./accessibility.ts";
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

/** The longest title there is, without a place to break it. */
const LONGEST = "Donaudampfschifffahrts".repeat(12).slice(0, 255);

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
  await createTrack(ana, { title: LONGEST, permalink: "longest" });
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
  // Pages show the site's webhooks only.
  const site = "(select id from apps where client_id = 'site')";
  await sql(`update webhooks set app_id = ${site} where id = $1`, [hook.body.id]);
  await api.as(ana).put(`/playlists/${set?.body.id}/podcast`, { json: { podcast: { category: "Arts" } } });
  return { track, set: set?.body, hook: hook.body.id };
}

const LOOKS = [390, 1440]
  .flatMap((width) => (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })))
  .filter(({ width, colorScheme }) =>
    (process.env.LOOKS ?? `${width}-${colorScheme}`).includes(`${width}-${colorScheme}`),
  );

test.runIf(folder)(
  "every page has its picture; none is wider than its window, and all are for everybody",
  async () => {
    mkdirSync(folder, { recursive: true });
    const [ana, ben] = [await createUserWithPassword({ plan: "artist" }), await createUserWithPassword()];
    const newcomer = await createUserWithPassword();
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
      ...{ docs: "/docs", reference: "/docs/reference/tracks", "docs-search": "/docs/search?q=upload" },
      ...{ status: "/status", longest: `${me}/longest`, "reset-old": "/reset?token=x" },
      ...{ "confirm-old": "/confirm?token=x", "cancel-old": "/cancel-change?token=x" },
      ...{ "player-visual": `${player(track.permalink_url)}&visual=true` },
    };
    const visitors = { signin: "/signin", signup: "/signup", forgot: "/forgot", sent: "/forgot/sent" };
    const empty = {
      ...{ "empty-home": "/", "empty-tracks": "/you/tracks", "empty-sets": "/you/sets" },
      ...{ "empty-library": "/you/library", "empty-notifications": "/you/notifications" },
      ...{ "empty-apps": "/you/apps", "empty-webhooks": "/you/webhooks", "empty-settings": "/settings" },
      "empty-profile": `/${newcomer.username}`,
    };
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
      ...{ podcast: `${setPath}/podcast`, episode: `${trackPath}/episode` },
      ...{ "add-to-set": `/you/sets/add?track=${track.id}`, delete: `/you/tracks/${track.id}/delete` },
    };
    const [storageState, newcomerState] = [await signedIn(ana), await signedIn(newcomer)];
    const faults: string[] = [];
    for (const { width, colorScheme } of LOOKS) {
      const options = { viewport: { width, height: 900 }, colorScheme };
      const look = async (who: string, pages: Record<string, string>, state = {}) => {
        const { page } = await browser.visit(`${stack.urls.api}/terms`, { ...options, ...state });
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(stack.urls.api + path, { waitUntil: "load" });
          const title = `${name}-${who}-${width}-${colorScheme}`;
          if (await take(page, title)) faults.push(`${title} is too wide`);
          // Players stand in frames of other pages; `embed-options.test.ts` looks at them so.
          if (name.startsWith("player-")) continue;
          for (const fault of await faultsOfAccess(page)) faults.push(`${title}: ${fault}`);
        }
        return page;
      };
      const visitor = await look("visitor", { ...both, ...visitors });
      await playAndTake(visitor, `${setPath}`, `playing-visitor-${width}-${colorScheme}`);
      const owner = await look("owner", { ...both, ...own }, { storageState });
      await look("newcomer", empty, { storageState: newcomerState });
      await owner.goto(`${stack.urls.api}/upload`);
      await take(owner, `upload-empty-owner-${width}-${colorScheme}`);
      await choose(owner, await taggedFile(`${LONG}.mp3`, LONG), await taggedFile("b.mp3", JAPANESE));
      await cardOf(owner, LONG).getByText("Ready", { exact: true }).waitFor();
      await take(owner, `upload-owner-${width}-${colorScheme}`);
      await owner.locator(".menu summary").click();
      await take(owner, `menu-owner-${width}-${colorScheme}`);
    }
    expect(faults).toEqual([]);
  },
  900_000,
);

async function signedIn(person: Person) {
  const { page } = await browser.visit(`${stack.urls.api}/session/new?next=/you/tracks`);
  await signInByForm(page, person);
  await page.getByRole("heading", { name: "Your tracks" }).waitFor();
  return await storageStateOf(page);
}

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
