import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import type { Person } from "../../support/people.ts";
import { makeSources } from "../../support/sources.ts";
import { sql } from "../../support/stack.ts";
import { feedOf, ownerOf, startFeedServer } from "./feed-server.ts";
import { episodesOf, moveIn, newEmail, runNow } from "./imports.support.ts";

export const audio = readFileSync((await makeSources()).mp3.path);

/** Moves in a feed with one episode, whose file the server answers as the test says. */
export async function moveOne(
  who: Person,
  answer?: (response: ServerResponse, time: number, send: () => void) => void,
  bytes = audio,
) {
  const server = await startFeedServer();
  let times = 0;
  const url = server.serve("/audio.mp3", {
    bytes,
    ...(answer && {
      answer: (request, response) => answer(response, ++times, () => server.send(request, response)),
    }),
  });
  const email = newEmail();
  const feed = server.serve("/feed.xml", { bytes: feedOf("One", ownerOf(email), [{ guid: "1", url }]) });
  return { server, ...(await moveIn(who, feed, email)) };
}

/** Makes what waits for its next attempt due. */
export async function skipWaits(id: number): Promise<void> {
  await sql(
    "update podcast_import_episodes set next_run_at = now() where import_id = $1 and state = 'waiting'",
    [id],
  );
  await sql("update podcast_imports set next_run_at = now() where id = $1", [id]);
  await runNow(id);
}

export const stateOf = async (who: Person, id: number) => (await episodesOf(who, id))[0]?.state;
export const reasonOf = async (who: Person, id: number) => (await episodesOf(who, id))[0]?.reason?.code;
