import { beforeAll, expect, test } from "vitest";
import { api } from "../../support/api.ts";
import { createPng } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { type ThreeHostsBrowser, threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let owner: ThreeHostsBrowser;

beforeAll(async () => {
  ana = await createUser();
  owner = await service.enter(ana);
});

const SRT = "1\n00:00:00,000 --> 00:00:04,000\nAna: Hello\n";

async function createEpisode() {
  const permalink = `episode-${Math.random().toString(36).slice(2)}`;
  const { id } = await createPlayableTrack(ana, { permalink });
  return { id, page: `/${ana.username}/${permalink}/episode` };
}

async function send(page: string, fields: Record<string, string | File>, browser = owner) {
  const { html } = await owner.get("web", page);
  return browser.postParts("web", page, { form_token: tokenIn(html, page), ...fields });
}

const fileOf = (content: string) => new File([content], "words");

test("an owner uploads a transcript and chapters by the episode's page, and removes them", async () => {
  const { id, page } = await createEpisode();
  const transcript = { part: "transcript", file: fileOf(SRT), language: "en" };
  const sent = await send(page, transcript);
  expect([sent.status, sent.location?.pathname]).toEqual([303, page]);
  expect((await api.as(ana).get(`/tracks/${id}/transcript`)).body).toMatchObject({
    language: "en",
    segments: [{ speaker: "Ana", body: "Hello" }],
  });
  const chapters = JSON.stringify({ chapters: [{ startTime: 0, title: "Begin" }] });
  expect((await send(page, { part: "chapters", file: fileOf(chapters) })).status).toBe(303);
  const { html, queries } = await owner.get("web", page);
  expect(queries).toBe(1);
  expect(html).toContain("There is one, of 1 part, up to 0:04.");
  expect(html).toContain("0:00 Begin");
  for (const part of ["transcript", "chapters"])
    expect((await send(page, { part, remove: "yes" })).status).toBe(303);
  expect((await api.as(ana).get(`/tracks/${id}/transcript`)).status).toBe(404);
});

test("an owner gives a chapter a picture, which the track's page shows, and takes it away", async () => {
  const { id, page } = await createEpisode();
  const chapters = JSON.stringify({ chapters: [{ startTime: 0, title: "Begin" }] });
  await send(page, { part: "chapters", file: fileOf(chapters) });
  const picture = { part: "picture", track: String(id), start: "0" };
  const refused = await send(page, { ...picture, file: fileOf("no picture") });
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining("Picture is not a JPEG")]);
  const file = new File([new Uint8Array(await createPng(120, 120))], "begin.png");
  expect((await send(page, { ...picture, file })).status).toBe(303);
  const img = /<img class="row-picture" src="[^"]*\/images\/[0-9a-f]{32}-large\.jpg"/;
  for (const path of [page, page.replace(/\/episode$/, "")])
    expect((await owner.get("web", path)).html).toMatch(img);
  expect((await send(page, picture)).status).toBe(303);
  expect((await owner.get("web", page)).html).not.toMatch(img);
});

test.each([
  ["transcript", { file: fileOf("1\nno times") }, "File line 1: has no times"],
  ["transcript", { file: fileOf(SRT), language: "english" }, "Language is no language code"],
  ["transcript", {}, "File is missing"],
  ["transcript", { file: fileOf("a".repeat(1_000_001)) }, "File may have 1000 kB at most"],
  ["chapters", { file: fileOf("{") }, "File is no JSON"],
  [
    "chapters",
    { file: fileOf('{"chapters":[{"startTime":-1}]}') },
    "File at [chapters][0][startTime]: must be",
  ],
  ["chapters", {}, "File is missing"],
])("422: a wrong file of %s is refused beside its field: %#", async (part, fields, problem) => {
  const { page } = await createEpisode();
  const { status, html } = await send(page, { part, ...(fields as Record<string, string | File>) });
  expect(status).toBe(422);
  expect(html).toContain(problem);
});

test("nobody else uploads", async () => {
  const { page } = await createEpisode();
  const stranger = await service.enter(await createUser());
  expect((await send(page, { part: "transcript", file: fileOf(SRT) }, stranger)).status).toBe(403);
});
