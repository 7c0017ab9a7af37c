import { expect, test } from "vitest";
import { make } from "../../auth/accounts/personal-tokens.support.ts";
import { api } from "../../support/api.ts";
import { createMember } from "../../support/browser.ts";
import { createAppToken, createUser } from "../../support/people.ts";
import { samplesIn } from "../../support/snippets.ts";
import { stack } from "../../support/stack.ts";
import { createPlayableTrack, createTrack } from "../../support/tracks.ts";

const PATH = "/docs/samples.json";
const ask = (path: string, token?: string) =>
  fetch(stack.urls.api + path, { headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });

async function sampleOf(operation: string): Promise<string> {
  const samples = samplesIn(await (await ask("/docs/reference/tracks")).text());
  return samples.find((sample) => sample.operation === operation && sample.language === "sh")?.html ?? "";
}

test("visitors see a public track in samples that read, and a name where the track must be theirs", async () => {
  const [ana, ben] = await Promise.all([createUser(), createUser()]);
  await createPlayableTrack(ana);
  // Tests beside this one delete tracks of theirs.
  await expect
    .poll(async () => {
      const [, id] = /data-sample="TRACK_ID">(\d+)</.exec(await sampleOf("GET /tracks/{id}")) ?? [];
      return (await api.as(ben).get(`/tracks/${id}`)).status;
    })
    .toBe(200);
  expect(await sampleOf("PUT /tracks/{id}")).toContain(">TRACK_ID</var>");
  const reply = await ask("/docs/reference/tracks", ana.token);
  expect([reply.headers.get("Cache-Control"), await reply.text()]).toEqual([
    "public, max-age=300",
    expect.not.stringContaining(ana.username),
  ]);
});

test("a reader's own ids are theirs alone: private, uncached, and for no token without a user or with limits", async () => {
  const [ana, ben] = await Promise.all([createUser(), createUser()]);
  const draft = await createPlayableTrack(ana, { sharing: "private" });
  const reply = await ask(PATH, ana.token);
  expect([reply.status, reply.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
  expect(await reply.json()).toMatchObject({
    USER_ID: String(ana.id),
    TRACK_ID: String(draft.id),
    PLAYLIST_ID: null,
  });
  expect(await (await ask(PATH, ben.token)).json()).toMatchObject({
    USER_ID: String(ben.id),
    TRACK_ID: null,
  });
  expect((await ask(PATH)).status).toBe(401);
  expect((await ask(PATH, (await createAppToken()).token)).status).toBe(401);
  expect((await ask(PATH, await make((await createMember()).browser))).status).toBe(403);
});

test("of several tracks the samples take a finished one, which plays", async () => {
  const ana = await createUser();
  const finished = await createPlayableTrack(ana);
  const processing = await createTrack(ana);
  expect(processing.id).toBeGreaterThan(finished.id);
  expect(await (await ask(PATH, ana.token)).json()).toMatchObject({ TRACK_ID: String(finished.id) });
});
