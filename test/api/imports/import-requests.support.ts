import { beforeAll } from "vitest";
import type { PodcastImport } from "../../../functions/api/imports/representation.ts";
import { ana, type Entry, get, one, post, remove, several } from "../../lib/http/statements.support.ts";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { type FeedServer, feedOf, startFeedServer } from "./feed-server.ts";

let server: FeedServer;

/** Each file that makes imports calls it. */
export const serveFeeds = () =>
  beforeAll(async () => {
    server = await startFeedServer();
  });

/** Nothing serves its files. The feed proves to be `who`'s. */
export const newImport = ({ id }: Person) => ({
  podcast_import: {
    feed_url: server.serve(`/${id}.xml`, {
      bytes: feedOf("Counted", `<podcast:txt>soundpost-verify-${id}</podcast:txt>`, [
        { guid: "1", url: `${server.origin}/counted.mp3` },
      ]),
    }),
  },
});

async function importPath(rest = "", who: Person = ana): Promise<string> {
  const { body } = await api.as(who).post<PodcastImport>("/me/podcast-imports", { json: newImport(who) });
  return `/me/podcast-imports/${body.id}${rest}`;
}

export async function failedPath(who: Person): Promise<string> {
  const path = await importPath("", who);
  const id = Number(path.split("/").at(-1));
  const [episode] = await sql<{ id: number }>(
    "update podcast_import_episodes set state = 'failed' where import_id = $1 returning id::float8 as id",
    [id],
  );
  await sql("update podcast_imports set state = 'done' where id = $1", [id]);
  return `${path}/episodes/${episode?.id}/retry`;
}

export const IMPORTS: Record<string, Entry> = {
  "GET /me/podcast-imports": one(() => get("/me/podcast-imports")),
  "POST /me/podcast-imports": several(3, "the budget is counted before the feed is fetched", async () => {
    const who = await createUser();
    return post("/me/podcast-imports", newImport(who), {}, who);
  }),
  "GET /me/podcast-imports/{id}": one(async () => get(await importPath())),
  "GET /me/podcast-imports/{id}/episodes": one(async () => get(await importPath("/episodes"))),
  "POST /me/podcast-imports/{id}/confirm": several(3, "the feed is read again in between", async () => {
    const who = await createUser();
    return post(await importPath("/confirm", who), {}, {}, who);
  }),
  "POST /me/podcast-imports/{id}/episodes/{episodeId}/retry": one(async () => {
    const who = await createUser();
    return post(await failedPath(who), {}, {}, who);
  }),
  "DELETE /me/podcast-imports/{id}": one(async () => remove(await importPath())),
};
