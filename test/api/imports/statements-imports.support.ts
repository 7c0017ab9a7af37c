import type { PodcastImport } from "../../../functions/api/imports/representation.ts";
import { ana, type Entry, get, one, post, remove, several } from "../../lib/http/statements.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { feedOf, startFeedServer } from "./feed-server.ts";

const server = await startFeedServer();

/** Nothing serves its files. The feed proves to be `who`'s. */
const newImport = ({ id }: Person) => ({
  podcast_import: {
    feed_url: server.serve(`/${id}.xml`, {
      bytes: feedOf("Counted", `<podcast:txt>soundpost-verify-${id}</podcast:txt>`, [
        { guid: "1", url: `${server.origin}/counted.mp3` },
      ]),
    }),
  },
});

async function itsPath(rest = "", who: Person = ana): Promise<string> {
  const { body } = await api.as(who).post<PodcastImport>("/me/podcast-imports", { json: newImport(who) });
  return `/me/podcast-imports/${body.id}${rest}`;
}

async function failedPath(who: Person): Promise<string> {
  const path = await itsPath("", who);
  const [episode] = await sql<{ id: number }>(
    `update podcast_import_episodes e set state = 'failed' from podcast_imports i
      where i.id = e.import_id and i.user_id = $1 returning e.id::float8 as id`,
    [who.id],
  );
  await sql("update podcast_imports set state = 'done' where user_id = $1", [who.id]);
  return `${path}/episodes/${episode?.id}/retry`;
}

export const IMPORTS: Record<string, Entry> = {
  "GET /me/podcast-imports": one(() => get("/me/podcast-imports")),
  "POST /me/podcast-imports": several(3, "the budget is counted before the feed is fetched", async () => {
    const who = await createUser();
    return post("/me/podcast-imports", newImport(who), {}, who);
  }),
  "GET /me/podcast-imports/{id}": one(async () => get(await itsPath())),
  "GET /me/podcast-imports/{id}/episodes": one(async () => get(await itsPath("/episodes"))),
  "POST /me/podcast-imports/{id}/confirm": several(3, "the feed is read again in between", async () => {
    const who = await createUser();
    return post(await itsPath("/confirm", who), {}, {}, who);
  }),
  "POST /me/podcast-imports/{id}/episodes/{episodeId}/retry": one(async () => {
    const who = await createUser();
    return post(await failedPath(who), {}, {}, who);
  }),
  "DELETE /me/podcast-imports/{id}": one(async () => remove(await itsPath())),
};
