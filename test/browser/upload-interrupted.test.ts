import { appendFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Upload } from "../../functions/api/uploads/representation.ts";
import { api } from "../support/api.ts";
import { createUser, type Person } from "../support/people.ts";
import { launchBrowser } from "./browser.ts";
import { startStorageGate } from "./storage-gate.ts";
import { cardOf, choose, drop, hollowFile, signedIn, threeParts, uploadUrl } from "./upload.support.ts";

const browser = launchBrowser();
let gate: Awaited<ReturnType<typeof startStorageGate>>;
let ana: Person;

beforeAll(async () => {
  gate = await startStorageGate();
});
beforeEach(async () => {
  ana = await createUser({ plan: "artist" });
  gate.sent.length = 0;
  gate.fate = () => "pass";
  gate.isDown = () => false;
});
afterAll(() => gate?.stop());

const visit = async () =>
  browser.visit(uploadUrl(), { ...(await signedIn(ana)), proxy: { server: gate.url } });

const session = async () => (await api.as(ana).get<Upload[]>("/uploads")).body[0];

/** Under load, waiting for repetitions and parts of 16 MiB adds up. */
const becomesTrack = () =>
  expect.poll(async () => (await session())?.status, { timeout: 90_000 }).toBe("used");

test("an upload survives a 503 and a reset of storage, and a 503 of the API", async () => {
  const { page } = await visit();
  const faults = new Map([
    [1, "503" as const],
    [2, "reset" as const],
  ]);
  gate.fate = (number) => {
    const fate = faults.get(number) ?? "pass";
    faults.delete(number);
    return fate;
  };
  const refused = new Set<string>();
  gate.isDown = (path) => {
    if (refused.has(path) || !/\/uploads\/\d+\/(parts|complete)$/.test(path)) return false;
    refused.add(path);
    return true;
  };
  await choose(page, threeParts("faulty.wav"));
  await becomesTrack();
  expect(gate.sent.toSorted()).toEqual([1, 1, 2, 2, 3]);
  expect(refused.size).toBe(2);
});

test("uploads that storage keeps refusing stop with a message, and go on when told so, or after a minute", async () => {
  const { page } = await visit();
  await page.clock.install();
  const stops = async (...names: string[]) => {
    gate.fate = () => "503";
    await choose(page, ...names.map((name) => hollowFile(name, 9_000)));
    const stopped = page
      .locator(".upload")
      .getByText("Storage cannot be reached. Another try follows in a minute.");
    await expect
      .poll(async () => {
        await page.clock.fastForward(15_000);
        return stopped.count();
      })
      .toBe(names.length);
    gate.fate = () => "pass";
  };
  await stops("refused.wav");
  await cardOf(page, "refused.wav").getByRole("button", { name: "Try again" }).click();
  await becomesTrack();
  await stops("one.wav", "other.wav");
  await page.getByRole("button", { name: "Resume all" }).click();
  await page.getByText("3 of 3 files uploaded").waitFor();
  await stops("overnight.wav");
  await page.clock.fastForward(60_000);
  await page.getByText("4 of 4 files uploaded").waitFor();
});

test("what is never answered is sent again after two minutes: a part, and each call of the API", async () => {
  const { page } = await visit();
  await page.clock.install();
  gate.fate = () => (gate.sent.length > 1 ? "pass" : "hold");
  const unanswered = new Set<string>();
  await page.route(/\/(uploads|tracks)(\/\d+\/(parts|complete))?$/, (route, request) => {
    const call = new URL(request.url()).pathname;
    if (request.method() !== "POST" || unanswered.has(call)) return route.continue();
    unanswered.add(call);
  });
  await choose(page, hollowFile("silent.wav", 9_000));
  await expect
    .poll(async () => {
      await page.clock.fastForward(10_000);
      return (await session())?.status;
    })
    .toBe("used");
  expect([gate.sent, unanswered.size]).toEqual([[1, 1], 4]);
});

test("a page without a connection says so, and that its uploads go on by themselves", async () => {
  const { page } = await visit();
  gate.fate = () => "503";
  await choose(page, hollowFile("tunnel.wav", 9_000));
  await expect.poll(() => gate.sent.length).toBe(1);
  const news = page.locator("upload-desk > [role=status]");
  await page.context().setOffline(true);
  await cardOf(page, "tunnel.wav").getByText("No connection. It goes on by itself. 0 kB of 9 kB").waitFor();
  expect(await news.textContent()).toBe("No connection. Uploads go on by themselves.");
  gate.fate = () => "pass";
  await page.context().setOffline(false);
  await expect.poll(() => news.textContent()).toContain("The connection is back.");
  await becomesTrack();
});

test("a file that is changed while it is sent is said to be unreadable, at once", async () => {
  const { page } = await visit();
  const path = hollowFile("changing.wav", 9_000);
  gate.fate = () => {
    appendFileSync(path, "more");
    return "503";
  };
  await choose(page, path);
  const card = cardOf(page, "changing.wav");
  await card.getByText("it was changed or moved").waitFor();
  expect(gate.sent).toEqual([1]);
});

test("files that cannot be read keep no place from the others", async () => {
  const { page } = await visit();
  const unreadable = [1, 2, 3, 4, 5].map((number) => hollowFile(`moved ${number}.wav`, 9_000));
  await drop(page, [...unreadable, hollowFile("there.wav", 9_000)], () => {
    for (const path of unreadable) appendFileSync(path, "more");
  });
  await becomesTrack();
  const unread = page.locator(".upload").getByText("it was changed or moved");
  await expect.poll(() => unread.count()).toBe(5);
  expect(gate.sent).toEqual([1]);
});

test("nothing is sent while an upload is paused, and only what is missing afterwards", async () => {
  const { page } = await visit();
  gate.fate = (number) => (number === 1 ? "pass" : "hold");
  await choose(page, threeParts("halted.wav"));
  const card = cardOf(page, "halted.wav");
  await expect.poll(() => gate.sent.length).toBe(3);
  await expect.poll(async () => (await storedParts())?.length).toBe(1);
  await card.getByRole("button", { name: "Pause" }).click();
  await card.getByText("Paused. 17 MB of 35 MB").waitFor();
  gate.fate = () => "pass";
  gate.sent.length = 0;
  await card.getByRole("button", { name: "Resume" }).click();
  await becomesTrack();
  expect(gate.sent.toSorted()).toEqual([2, 3]);
});

test("after a reload the same file goes on: words are kept, and only missing parts are sent", async () => {
  const { page } = await visit();
  gate.fate = (number) => (number === 2 ? "hold" : "pass");
  const path = threeParts("reloaded.wav");
  await choose(page, path);
  const card = cardOf(page, "reloaded.wav");
  await expect.poll(async () => (await storedParts())?.length).toBe(2);
  await card.getByLabel("Genre").fill("Resumed");
  page.once("dialog", (dialog) => dialog.accept());
  await page.reload();
  await card.getByText("Choose the same file again").waitFor();
  expect(await card.getByLabel("Genre").inputValue()).toBe("Resumed");
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByText("Saved for when it is uploaded.").waitFor();
  gate.fate = () => "pass";
  gate.sent.length = 0;
  await choose(page, path);
  await becomesTrack();
  expect(gate.sent).toEqual([2]);
  const track = (await session())?.track_id;
  expect((await api.as(ana).get(`/tracks/${track}`)).body).toMatchObject({
    title: "reloaded",
    genre: "Resumed",
    sharing: "private",
  });
});

test("an upload goes on while other pages of the site are shown", async () => {
  const { page } = await visit();
  gate.fate = (number) => (number === 2 ? "503" : "pass");
  await choose(page, threeParts("swapped.wav"));
  await expect.poll(async () => (await storedParts())?.length).toBe(2);
  await page.getByRole("link", { name: "Discover" }).click();
  await page.getByRole("heading", { name: "Discover" }).first().waitFor();
  gate.fate = () => "pass";
  await becomesTrack();
  await page.getByRole("link", { name: "Upload" }).click();
  await page.getByRole("heading", { name: "swapped", exact: true }).waitFor();
});

test("a page with an unfinished upload warns before it is left, and removing it ends the session", async () => {
  const { page } = await visit();
  gate.fate = () => "hold";
  await choose(page, threeParts("left.wav"));
  await expect.poll(() => gate.sent.length).toBe(3);
  const warned = page.waitForEvent("dialog");
  // Resolves only after the dialog.
  page.close({ runBeforeUnload: true }).catch(() => {});
  const dialog = await warned;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await cardOf(page, "left.wav").getByRole("button", { name: "Remove" }).click();
  await expect.poll(async () => (await session())?.status).toBe("aborted");
  await expect.poll(() => page.locator(".upload").count()).toBe(0);
});

test("another tab says where a file is being sent, cannot end it, and goes on when that tab is gone", async () => {
  const { page } = await visit();
  gate.fate = () => "hold";
  const path = hollowFile("elsewhere.wav", 9_000);
  await choose(page, path);
  await cardOf(page, "elsewhere.wav").getByLabel("Genre").fill("Moved");
  await expect.poll(() => gate.sent.length).toBe(1);
  const other = await page.context().newPage();
  await other.goto(uploadUrl());
  const card = cardOf(other, "elsewhere.wav");
  await card.getByText("Open in another tab of this browser").waitFor();
  expect(await card.getByRole("button").count()).toBe(0);
  expect(await card.getByLabel("Title").isVisible()).toBe(false);
  await choose(other, path);
  await page.close();
  gate.fate = () => "pass";
  await becomesTrack();
  const track = (await session())?.track_id;
  expect((await api.as(ana).get(`/tracks/${track}`)).body).toMatchObject({ genre: "Moved" });
  expect(gate.sent).toEqual([1, 1]);
});

test("the focus goes from Pause to Resume, and from a file that two clicks removed to the next, then to the choice of files", async () => {
  const { page } = await visit();
  gate.fate = () => "hold";
  await choose(page, hollowFile("first.wav", 9_000), hollowFile("second.wav", 9_000));
  await expect.poll(() => gate.sent.length).toBe(2);
  const focused = () =>
    page.evaluate<string>(
      "(({ ariaLabel, id, innerText }) => ariaLabel || id || innerText)(document.activeElement)",
    );
  const [first, second] = [cardOf(page, "first.wav"), cardOf(page, "second.wav")];
  await first.getByRole("button", { name: "Pause" }).press("Enter");
  await expect.poll(focused).toBe("Resume: first.wav");
  await first.getByRole("button", { name: "Remove" }).dblclick();
  await expect.poll(focused).toBe("second.wav");
  await second.getByRole("button", { name: "Remove" }).press("Enter");
  await expect.poll(focused).toBe("upload-files");
});

test("files wait while five others have begun, paused ones included", async () => {
  const { page } = await visit();
  gate.fate = () => "hold";
  const names = Array.from({ length: 6 }, (_, at) => `begun-${at}.wav`);
  await choose(page, ...names.map((name) => hollowFile(name, 9_000)));
  for (const at of [0, 1, 2]) {
    await expect.poll(() => gate.sent.length).toBe(Math.min(5, at + 3));
    await cardOf(page, `begun-${at}.wav`).getByRole("button", { name: "Pause" }).click();
  }
  const last = cardOf(page, "begun-5.wav");
  await last.getByText("Waiting until one of five begun files is there").waitFor();
  await cardOf(page, "begun-0.wav").getByRole("button", { name: "Remove" }).click();
  await expect.poll(() => gate.sent.length).toBe(6);
  expect(await page.getByText("Stopped").count()).toBe(0);
});

test("files go on by themselves once another program's sessions end", async () => {
  const open = { filename: "elsewhere.wav", size: 9, type: "audio/wav" };
  // Opened after the page, which shows those that it knows.
  const { page } = await visit();
  const others = Array.from({ length: 5 }, () => api.as(ana).post<Upload>("/uploads", { json: open }));
  await Promise.all(others);
  await choose(page, hollowFile("guest.wav", 9_000));
  const card = cardOf(page, "guest.wav");
  await card.getByText("You have 5 uploads open").waitFor();
  await card.getByText("Waiting").waitFor();
  for (const { body } of await Promise.all(others)) await api.as(ana).delete(`/uploads/${body.id}`);
  await expect.poll(async () => (await session())?.status).toBe("used");
  expect(await card.getByText("uploads open").isVisible()).toBe(false);
});

async function storedParts() {
  const upload = await session();
  if (!upload) return undefined;
  return (await api.as(ana).get<Upload & { parts: unknown[] }>(`/uploads/${upload.id}`)).body.parts;
}
