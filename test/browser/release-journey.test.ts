import { expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import { follow, itemsOf } from "../api/feed/feed.support.ts";
import { api } from "../support/api.ts";
import { uniqueName } from "../support/browser.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { runCron, sql } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { overflow } from "./browser.ts";
import { byKeyboard } from "./hands.ts";
import { openJourneys } from "./journey.support.ts";
import { signInByForm } from "./sign-in.ts";
import { drop, taggedFile } from "./upload.support.ts";

/** A musician releases an EP, and a follower finds it, where each host is a site of its own. */

const { browser, site } = openJourneys();
const { press, write } = byKeyboard;

/** Opens the page where a musician uploads, and drops three files of one record on it. */
async function dropped(ana: Person, album: string, colorScheme: "light" | "dark") {
  const options = { viewport: { width: 390, height: 844 }, colorScheme };
  const visit = await browser.visit(`${site().web}/session/new?next=/upload`, options);
  const { page } = visit;
  await signInByForm(page, ana);
  await page.getByRole("heading", { level: 1, name: "Upload" }).waitFor();
  const paths = await Promise.all(
    ["Tide", "Ebb", "Flood"].map((title, at) =>
      taggedFile(`${album}-${at}.mp3`, title, { album, track: String(3 - at) }),
    ),
  );
  await drop(page, paths);
  await press(page.getByRole("button", { name: "EP", exact: true }));
  await expect.poll(() => page.getByLabel("Title of the release").inputValue()).toBe(album);
  return visit;
}

async function meet() {
  const [ana, ben] = [await createUserWithPassword({ plan: "artist" }), await createUserWithPassword()];
  await follow(ben, ana);
  return { ana, ben, album: `Shore ${uniqueName()}` };
}

const setOf = async (ana: Person): Promise<Playlist | undefined> =>
  (await api.as(ana).get<Playlist[]>("/me/playlists")).body[0];

test.each(["light", "dark"] as const)(
  "three files become an EP that a follower finds, by keyboard alone, in %s colours",
  async (colorScheme) => {
    const { ana, ben, album } = await meet();
    const { page, complaints } = await dropped(ana, album, colorScheme);
    await write(page.getByLabel("Genre").first(), "Ambient");
    await press(page.getByRole("button", { name: "Move Ebb down" }));
    await page.getByText("Ebb is number 3 of 3.").waitFor();
    await write(page.getByLabel("Title of track 1"), "Flood tide");
    expect([await overflow(page), await faultsOfAccess(page)]).toEqual([0, []]);
    await press(page.getByRole("button", { name: "Publish", exact: true }));
    await page.getByText(`Published: ${album}`).waitFor();
    const set = await setOf(ana);
    expect(set?.tracks).toMatchObject(
      ["Flood tide", "Tide", "Ebb"].map((title) => ({ title, sharing: "public", genre: "Ambient" })),
    );
    await press(page.getByRole("link", { name: album, exact: true }));
    await page.getByRole("heading", { level: 1, name: album }).waitFor();
    await expect.poll(async () => (await itemsOf(ben))[0]).toBe(`playlist ${set?.id}`);
    expect(complaints).toEqual([]);
  },
);

test("a scheduled EP stays hidden until its time; a follower is told of it once, also when no run came at that time", async () => {
  const { ana, ben, album } = await meet();
  const { page } = await dropped(ana, album, "light");
  await page.locator("#release-publish_at").fill(inLocalTime(Date.now() + 3_600_000));
  await press(page.getByRole("button", { name: "Schedule", exact: true }));
  await page.getByText("Becomes public on").waitFor();
  const set = await setOf(ana);
  expect(set).toMatchObject({ title: album, sharing: "private", publish_at: expect.any(String) });
  const ids = set?.tracks?.map(({ id }) => id) ?? [];
  const areReady = () => sql("select from tracks where id = any ($1) and state = 'finished'", [ids]);
  await expect.poll(async () => (await areReady()).length).toBe(3);
  await runCron("* * * * *");
  expect(await itemsOf(ben)).toEqual([]);
  expect((await api.as(ben).get(`/playlists/${set?.id}`)).status).toBe(404);

  // The time passed an hour ago, and no run came before this one.
  await sql(
    `with due as (select date_trunc('second', now() - interval '1 hour') as at), moved as (
       update tracks set publish_at = due.at from due where id = any ($1))
     update playlists set publish_at = due.at from due where id = $2`,
    [ids, set?.id],
  );
  await runCron("* * * * *");
  await runCron("* * * * *");
  const items = await itemsOf(ben);
  expect([items[0], items.length]).toEqual([`playlist ${set?.id}`, 4]);
  const theirs = await browser.visit(`${site().web}/session/new?next=/`);
  await signInByForm(theirs.page, ben);
  await theirs.page.getByRole("main").getByRole("link", { name: album, exact: true }).first().waitFor();
});

/** A time as the field takes it, in the zone of the browser, which is that of the tests. */
function inLocalTime(ms: number): string {
  const at = new Date(ms);
  return new Date(ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
