import { beforeAll, expect, test } from "vitest";
import { createComment } from "../api/comments/comments.support.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { makeSources } from "../support/sources.ts";
import { sql, stack } from "../support/stack.ts";
import { createTrack, uploadTrack, waitForEncode } from "../support/tracks.ts";
import { launchBrowser, playsPast, position, source } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
let ana: Person;

beforeAll(async () => {
  ana = await createUserWithPassword();
});

test("without scripts the browser's own controls play the MP3 below a picture of the waveform", async () => {
  const track = await finishedTrack(ana);
  const { page } = await browser.visit(track.permalink_url, { javaScriptEnabled: false });
  const audio = page.locator("audio[controls]");
  expect(await audio.isVisible()).toBe(true);
  expect(await page.locator("button.play").isVisible()).toBe(false);
  expect(await page.locator("img.waveform").isVisible()).toBe(true);
  await expect.poll(() => source(page)).not.toBe("");
  const mp3 = await fetch(await source(page));
  expect([mp3.status, mp3.headers.get("Content-Type")]).toEqual([200, "audio/mpeg"]);
  await mp3.body?.cancel();
});

test("without scripts a page begins at the moment of its address", async () => {
  const track = await finishedTrack(ana);
  const { page } = await browser.visit(`${track.permalink_url}?t=5`, { javaScriptEnabled: false });
  await page.evaluate("void document.querySelector('audio').play()");
  await playsPast(page, 5);
});

test("a time in a comment plays from there, by pointer and by key, and leaves the page as it is", async () => {
  const track = await finishedTrack(ana, { description: "0:01 The beginning" });
  await createComment(ana, track, { body: "Best at 0:05, not at 0:59" });
  const { page, complaints } = await browser.visit(track.permalink_url);
  await page.evaluate("window.isSame = true");
  await page.getByRole("link", { name: "0:05", exact: true }).click();
  await playsPast(page, 5);
  await page.getByRole("link", { name: "0:01", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => position(page)).toBeLessThan(5);
  await playsPast(page, 1);
  expect(await page.getByRole("link", { name: "0:59" }).count()).toBe(0);
  expect([page.url(), await page.evaluate("window.isSame")]).toEqual([track.permalink_url, true]);
  expect(complaints).toEqual([]);
});

test("a title that is markup appears as text and does nothing", async () => {
  const title = `</script></title><img src=x onerror="document.title='owned'">" onload="`;
  const track = await finishedTrack(ana, { title, genre: title, artist: title, tag_list: title });
  const { page, complaints } = await browser.visit(track.permalink_url);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
  expect(await page.locator("img[src=x]").count()).toBe(0);
  expect(await page.title()).not.toBe("owned");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.2);
  expect(complaints).toEqual([]);
});

test("a page that waits for the encode becomes one that plays", async () => {
  const track = await finishedTrack(ana);
  // A short file may finish before its page opens, so the state is set back.
  await sql("update tracks set state = 'processing' where id = $1", [track.id]);
  const { page, complaints } = await browser.visit(track.permalink_url);
  expect(await page.getByRole("status").textContent()).toContain("Getting ready to play");
  await sql("update tracks set state = 'finished' where id = $1", [track.id]);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.5);
  expect(complaints).toEqual([]);
});

test("a page that waits for the encode of a track that is deleted says that nothing is there", async () => {
  const { id } = await createTrack(ana, { permalink: "gone" });
  const { page } = await browser.visit(`${stack.urls.web}/${ana.username}/gone`);
  await page.getByText("Getting ready to play").waitFor();
  expect((await api.as(ana).delete(`/tracks/${id}`)).status).toBe(200);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
});

test("without scripts a page that waits for the encode stays as it is until its reader looks again", async () => {
  const track = await finishedTrack(ana);
  await sql("update tracks set state = 'processing' where id = $1", [track.id]);
  const { page } = await browser.visit(`${track.permalink_url}?t=3`, { javaScriptEnabled: false });
  expect(await page.locator("meta[http-equiv]").count()).toBe(0);
  await sql("update tracks set state = 'finished' where id = $1", [track.id]);
  await page.getByRole("link", { name: "Look again" }).click();
  await page.locator("audio[controls]").waitFor();
  expect(page.url()).toBe(`${track.permalink_url}?t=3`);
});

test("a file without audio says that it cannot be played", async () => {
  const { id, permalink_url } = await uploadTrack(ana, (await makeSources()).text);
  await waitForEncode(ana, id);
  const { page } = await browser.visit(permalink_url);
  expect(await page.locator("[data-state=failed]").textContent()).toContain("cannot be played");
  expect(await page.locator("main audio, track-player").count()).toBe(0);
});

test("a track that is not streamable has a page without audio", async () => {
  const track = await finishedTrack(ana, { streamable: false });
  const { page } = await browser.visit(track.permalink_url);
  expect(await page.locator("[data-state=blocked]").isVisible()).toBe(true);
  // Tracks beside it have covers of their sound.
  expect(await page.locator(".record-head").innerHTML()).not.toContain("/media/");
});

test("a preview-only track plays just the preview", async () => {
  const track = await finishedTrack(ana);
  await sql("update tracks set paywall = 'preview' where id = $1", [track.id]);
  const { page } = await browser.visit(track.permalink_url);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.5);
  expect(await page.content()).not.toMatch(/audio\.mp3|m3u8/);
});

test("a private track has a page for holders of its link only", async () => {
  const track = await finishedTrack(ana, { sharing: "private", title: "Between us" });
  const outside = await browser.visit(track.permalink_url);
  expect(await outside.page.getByRole("heading").textContent()).toBe("There is nothing here");
  const wrong = await browser.visit(`${track.permalink_url}/s-0000000000000000000000`);
  expect(await wrong.page.content()).not.toContain("Between us");

  const { page, complaints } = await browser.visit(`${track.permalink_url}/${track.secret_token}`);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await playsPast(page, 0.5);
  expect(await page.locator("meta[name=robots]").getAttribute("content")).toBe("noindex");
  expect(complaints).toEqual([]);
});

test("a page leads to the track's creator and not to itself", async () => {
  const { permalink_url, user } = await finishedTrack(ana, { sharing: "public" });
  const { page } = await browser.visit(permalink_url);
  expect(await page.locator(".artist a").first().getAttribute("href")).toBe(user.permalink_url);
  expect(await page.locator(`main a[href="${permalink_url}"]`).count()).toBe(0);
});

test("days are those of the reader's time zone, and of UTC without scripts", async () => {
  const track = await finishedTrack(ana);
  const dayIn = (timeZone: string) =>
    new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone }).format(new Date(track.created_at));
  const uploaded = async (options: object) => {
    const { page } = await browser.visit(track.permalink_url, options);
    return page.locator(".counts time");
  };
  expect(await (await uploaded({ javaScriptEnabled: false })).textContent()).toBe(dayIn("UTC"));
  // They are 25 hours apart, so at least one has another day than UTC.
  for (const timezoneId of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const shown = await uploaded({ timezoneId });
    await expect.poll(() => shown.textContent()).toBe(dayIn(timezoneId));
    const second = new Date(track.created_at).toISOString().slice(0, 19);
    expect(await shown.getAttribute("datetime")).toContain(second);
  }
});
