import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { Browser, createConfirmedMember, createMember, signIn } from "../support/browser.ts";
import { createApp, createUser, type Person, tokenOf } from "../support/people.ts";
import { makeSources } from "../support/sources.ts";
import { shortWav, uploadTrack, waitForEncode, words } from "../support/tracks.ts";
import { readXml } from "../support/xml.ts";

let ana: Person;
let anasBrowser: Browser;
let anasEmail: string;

beforeAll(async () => {
  const { browser, id, username, email } = await createConfirmedMember();
  anasBrowser = browser;
  await anasBrowser.enterSite();
  anasEmail = email;
  const app = await createApp();
  ana = { id, username, token: await tokenOf(app, username), app };
});

async function uploadTruncatedTrack(): Promise<Track> {
  const { flac } = await makeSources();
  const whole = await readFile(flac.path);
  const made = await uploadTrack(ana, new Blob([new Uint8Array(whole.subarray(0, whole.length * 0.6))]));
  return waitForEncode(ana, made.id);
}

const page = async (browser: Browser, track: Track) =>
  (await browser.get(new URL(track.permalink_url).pathname)).html;

test("a track of a damaged file finishes, and its owner alone sees the warnings", async () => {
  const track = await uploadTruncatedTrack();
  expect(track).toMatchObject({ state: "finished", encoding: { reason: null, progress: 1 } });
  const warnings = track.encoding?.warnings ?? [];
  expect(warnings.map(({ code }) => code)).toContain("shorter_than_declared");
  for (const { code, message } of warnings) {
    expect(code).toMatch(/^[a-z_]+$/);
    expect(message).toMatch(/^[A-Z].*\.$/);
  }
  const ben = await createUser();
  for (const seen of [
    (await api.as(ben).get<Track>(`/tracks/${track.id}`)).body,
    (await api.as(ben).get<Track[]>(`/users/${ana.id}/tracks`)).body.find(({ id }) => id === track.id),
  ]) {
    expect(seen?.id).toBe(track.id);
    expect(seen?.encoding).toBeUndefined();
  }
  const own = (await api.as(ana).get<Track[]>("/me/tracks")).body.find(({ id }) => id === track.id);
  expect(own?.encoding?.warnings).toEqual(warnings);
});

test("the track's page shows its owner the warnings, and nobody else", async () => {
  const track = await uploadTruncatedTrack();
  const [warning] = track.encoding?.warnings ?? [];
  const message = warning?.message ?? "none";
  expect(await page(anasBrowser, track)).toContain(message);
  expect(await page(anasBrowser, track)).toContain("Only you can see this.");
  const { browser: another } = await createMember();
  await another.enterSite();
  for (const browser of [new Browser(), another]) {
    const html = await page(browser, track);
    expect(html).toContain(track.title);
    expect(html).not.toContain(message);
    expect(html).not.toContain("Only you");
  }
  await anasBrowser.submit("/settings", "/signout");
  expect(await page(anasBrowser, track)).not.toContain(message);
  await signIn(anasBrowser, anasEmail);
  await anasBrowser.enterSite();
});

test("the page of a failed track tells its owner the reason", async () => {
  const { id } = await uploadTrack(ana, words());
  const track = await waitForEncode(ana, id);
  expect(track.encoding).toMatchObject({ reason: { code: "unsupported_format" }, warnings: [] });
  const message = track.encoding?.reason?.message ?? "none";
  expect(await page(anasBrowser, track)).toContain(message);
  expect(await page(new Browser(), track)).not.toContain(message);
});

test("an honest file has no warnings, in JSON and in XML", async () => {
  const track = await waitForEncode(ana, (await uploadTrack(ana, shortWav())).id);
  expect(track.encoding?.warnings).toEqual([]);
  expect(await page(anasBrowser, track)).not.toContain("Only you");
  const reply = await fetch(`${track.uri}.xml`, { headers: { Authorization: `OAuth ${ana.token}` } });
  const text = await reply.text();
  expect(text).toContain('<warnings type="array"/>');
  expect(readXml(text)).toBeTruthy();
});

test("a file of less than half a millisecond is a track of one millisecond that plays", async () => {
  const track = await waitForEncode(ana, (await uploadTrack(ana, shortWav(1 / 44_100))).id);
  expect(track).toMatchObject({ state: "finished", duration: 1, encoding: { attempts: 1, reason: null } });
  const { body } = await api.as(ana).get<Record<string, string>>(`/tracks/${track.id}/streams`);
  for (const url of Object.values(body)) expect((await fetch(url)).status).toBe(200);
});
