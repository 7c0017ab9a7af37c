import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import type { Upload } from "../../functions/api/uploads/representation.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { repeats } from "../support/repeats.ts";
import { PATIENCE_MS } from "./browser.ts";
import { startStorageGate } from "./storage-gate.ts";
import { cardOf, choose, drop, largeFile, signedIn, uploadUrl } from "./upload.support.ts";

const FILES = repeats(3, 10);
/** 500 MB in all with `--full`. */
const BYTES = repeats(20, 50) * 1_000_000;
const PARTS_EACH = Math.ceil(BYTES / (16 * 2 ** 20));
const PARTS = FILES * PARTS_EACH;

let gate: Awaited<ReturnType<typeof startStorageGate>>;
let ana: Person;

beforeAll(async () => {
  gate = await startStorageGate();
  ana = await createUser({ plan: "artist" });
});
afterAll(() => gate?.stop());

/** A browser with a profile on the disk, which stays when it is closed. */
async function openProfile(folder: string) {
  const options = { executablePath: inject("chromium"), headless: true, proxy: { server: gate.url } };
  const context = await chromium.launchPersistentContext(folder, { ...options, args: ["--no-sandbox"] });
  context.setDefaultTimeout(PATIENCE_MS);
  onTestFinished(() => context.close());
  const { storageState } = await signedIn(ana);
  if (typeof storageState === "object") await context.addCookies(storageState.cookies);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => dialog.accept().catch(() => {}));
  await page.goto(uploadUrl());
  return { context, page, complaints };
}

/** Parts that storage has when the pause, the reload and the end of the browser come. */
const [PAUSED_AT, RELOADED_AT, CLOSED_AT] = [0.2, 0.4, 0.7].map((share) => Math.ceil(share * PARTS)) as [
  number,
  number,
  number,
];

/** Numbers of the parts let through, by their file's path. */
const passed = new Map<string, Set<number>>();

/**
 * Lets parts through until storage has so many. The second that arrives meets a 503, the fourth a reset. `mayEnd`: whether a file may
 * get its last part, and so become a track.
 */
function allow(parts: number, mayEnd = true): void {
  gate.fate = (number, path) => {
    if (gate.sent.length === 2) return "503";
    if (gate.sent.length === 4) return "reset";
    if (gate.stored.length + gate.passing >= parts) return "hold";
    const before = passed.get(path) ?? new Set();
    if (!mayEnd && !before.has(number) && before.size === PARTS_EACH - 1) return "hold";
    passed.set(path, before.add(number));
    return "pass";
  };
}

const reaches = (parts: number) =>
  expect.poll(() => gate.stored.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(parts);

const fileOf = (title: string) => `${title.toLowerCase().replace(" ", "_")}.wav`;

test("many large files, dropped at once, outlive faults, a pause, a reload and the browser; each part is sent once", {
  timeout: 600_000,
}, async () => {
  const titles = Array.from({ length: FILES }, (_, at) => `Large ${at}`);
  const paths: string[] = [];
  for (const title of titles) paths.push(await largeFile(fileOf(title), title, BYTES));
  const [edited = "", unsaved = ""] = titles.toReversed();
  const profile = mkdtempSync(join(tmpdir(), "soundpost-profile-"));

  const first = await openProfile(profile);
  allow(PAUSED_AT, false);
  await drop(first.page, paths);
  for (const title of titles) {
    const card = cardOf(first.page, fileOf(title));
    await expect.poll(() => card.getByLabel("Title").inputValue()).toBe(title);
    expect(await card.getByLabel("Artist", { exact: true }).inputValue()).toBe("The Taggers");
    expect(await card.getByLabel("Genre").inputValue()).toBe("Folk");
    expect(await card.getByLabel("Year").inputValue()).toBe("2019");
    await expect.poll(() => card.locator("[data-part=picture]").isVisible()).toBe(true);
  }
  await reaches(PAUSED_AT);
  await first.page
    .getByText(/^\d+ of \d+ files uploaded, .* · [\d.]+ [kM]B\/s · \d+ (s|min) left$/)
    .waitFor();
  expect(gate.mostMoving).toBeGreaterThan(2);

  const card = cardOf(first.page, fileOf(edited));
  await card.getByLabel("Title").fill("Edited while it runs");
  await card.getByLabel("Public when ready").check();
  await card.getByRole("button", { name: "Save" }).click();
  await cardOf(first.page, fileOf(unsaved)).getByLabel("Public when ready").check();

  await first.page.getByRole("button", { name: "Pause all" }).click();
  await first.page
    .getByText(/^Paused\. /)
    .first()
    .waitFor();
  expect(await first.page.locator("[data-phase=sending], [data-phase=waiting]").count()).toBe(0);
  const paused = gate.sent.length;
  allow(RELOADED_AT, false);
  await new Promise((wake) => setTimeout(wake, 1_000));
  expect(gate.sent.length).toBe(paused);
  await first.page.getByRole("button", { name: "Resume all" }).click();
  await reaches(RELOADED_AT);

  allow(CLOSED_AT);
  await first.page.reload();
  await drop(first.page, paths);
  // Either may become a track now, whose card bears its title.
  const editedCard = cardOf(first.page, new RegExp(`^(${fileOf(edited)}|Edited while it runs)$`));
  // A track's title comes from the API.
  await expect.poll(() => editedCard.getByLabel("Title").inputValue()).toBe("Edited while it runs");
  const unsavedCard = cardOf(first.page, new RegExp(`^(${fileOf(unsaved)}|${unsaved})$`));
  await unsavedCard.getByText("Not saved yet").waitFor();
  await reaches(CLOSED_AT);
  await first.context.close();

  allow(PARTS);
  const second = await openProfile(profile);
  await choose(second.page, ...paths);
  for (const title of titles.slice(0, -1))
    await cardOf(second.page, title).getByText("Ready", { exact: true }).waitFor({ timeout: 300_000 });
  await cardOf(second.page, "Edited while it runs").getByText("It goes public").waitFor({ state: "hidden" });
  await expect
    .poll(async () => (await tracks()).filter(({ state }) => state === "finished").length)
    .toBe(FILES);

  expect(gate.stored.toSorted()).toEqual([...new Set(gate.stored)].toSorted());
  expect(gate.stored.length).toBe(PARTS);
  const sharing = Object.fromEntries((await tracks()).map((track) => [track.title, track.sharing]));
  expect(sharing).toEqual({
    ...Object.fromEntries(titles.slice(0, -1).map((title) => [title, "private"])),
    "Edited while it runs": "public",
  });
  for (const track of await tracks())
    expect(track).toMatchObject({ metadata_artist: "The Taggers", genre: "Folk", release_year: 2019 });
  await expect
    .poll(async () => (await tracks()).filter(({ artwork_url }) => artwork_url?.includes("/images/")).length)
    .toBe(FILES);
  const { body } = await api.as(ana).get<Upload[]>("/uploads?limit=50");
  expect(body.map(({ status }) => status)).toEqual(Array(FILES).fill("used"));
  expect([first.complaints, second.complaints]).toEqual([[], []]);
});

const tracks = async () => (await api.as(ana).get<Track[]>("/me/tracks?limit=50")).body;
