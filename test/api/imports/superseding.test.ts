import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { forgetExpired } from "../../../db/queries/expired.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { makeSources } from "../../support/sources.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { feedOf, startFeedServer } from "./feed-server.ts";
import { begin, confirm, episodesOf, read, runNow, waitForImport } from "./imports.support.ts";

/** Moves in a feed of one episode that proves to be its user's. Returns the feed's address, the import and the track. */
async function moveOneIn(who: Person) {
  const server = await startFeedServer();
  const audio = readFileSync((await makeSources()).mp3.path);
  const items = [{ guid: "former", url: server.serve("/1.mp3", { bytes: audio }) }];
  const channel = `<podcast:txt>soundpost-verify-${who.id}</podcast:txt>`;
  const feed = server.serve("/feed.xml", { bytes: feedOf("Former", channel, items) });
  const { id } = (await begin(who, feed)).body;
  expect((await confirm(who, id)).status).toBe(200);
  const [episode] = await waitForImport(who, id);
  await expect.poll(async () => (await read(who, id)).state).toBe("done");
  return { feed, id, track: Number(episode?.track_id) };
}

const LEFT_OUT = [{ state: "left_out", reason: { code: "already_here" } }];

test("an episode that took an uploaded track's place has its guid, and its own feed does not bring it again", async () => {
  const ana = await createUser();
  const old = await createPlayableTrack(ana);
  const { feed, id, track } = await moveOneIn(ana);
  // Read before the episode takes the place.
  const { id: second } = (await begin(ana, feed)).body;
  const forget = () =>
    sql("update podcast_import_episodes set state = 'waiting', reason = null where import_id = $1", [second]);
  await forget();
  const json = { superseded_id: old.id };
  expect((await api.as(ana).post(`/tracks/${track}/supersede`, { json })).status).toBe(200);
  const rss = await (await fetch(`${stack.urls.web}/${ana.username}/feed.xml`)).text();
  expect([rss.includes(`tracks:${old.id}</guid>`), rss.includes("former</guid>")]).toEqual([true, false]);

  expect((await confirm(ana, second)).status).toBe(200);
  expect(await waitForImport(ana, second)).toMatchObject(LEFT_OUT);
  await expect.poll(async () => (await read(ana, second)).state).toBe("done");
  // Its file was under way meanwhile.
  await forget();
  await sql("update podcast_imports set state = 'running' where id = $1", [second]);
  await runNow(second);
  expect(await waitForImport(ana, second)).toMatchObject([
    { state: "failed", reason: { code: "already_here" } },
  ]);

  // The import outlives its year, because nothing else knows the former guid.
  await sql("update podcast_imports set ended_at = now() - interval '2 years' where id = $1", [id]);
  await forgetExpired(stackTarget(stack).db, "podcast_imports", 100);
  const { id: third } = (await begin(ana, feed)).body;
  expect(await episodesOf(ana, third)).toMatchObject(LEFT_OUT);
});

test("an import whose episodes keep their guids is forgotten after a year, and its feed brings nothing again", async () => {
  const ben = await createUser();
  const { feed, id } = await moveOneIn(ben);
  await sql("update podcast_imports set ended_at = now() - interval '2 years' where id = $1", [id]);
  const forgotten = async () => {
    await forgetExpired(stackTarget(stack).db, "podcast_imports", 100);
    return (await api.as(ben).get(`/me/podcast-imports/${id}`)).status;
  };
  await expect.poll(forgotten).toBe(404);
  expect(await episodesOf(ben, (await begin(ben, feed)).body.id)).toMatchObject(LEFT_OUT);
});
