import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { playlists } from "../schema/playlists.ts";
import { podcastImportEpisodes, podcastImports } from "../schema/podcast-imports.ts";
import { tracks } from "../schema/tracks.ts";
import { selected } from "../stored-select.ts";
import { mayRead, type Operator } from "./acts.ts";
import { moment } from "./caller.ts";
import { isIdle } from "./import-turns.ts";
import { readyReleases } from "./scheduled.ts";

/** Rows of each list. More of them have the cause of the first. */
const MOST = 100;

const publishAt = sql`ready.publish_at`;

/** Lists publications and podcasts that move in which are late, those first that wait longest. The crons try each again. */
export async function listOverdue(db: Database, operator: Operator) {
  const on = db.drizzle;
  const ofRelease = (table: typeof tracks | typeof playlists) =>
    on.$count(table, and(eq(table.userId, users.id), eq(table.publishAt, publishAt)));
  const publications = on
    .select({
      user_id: users.id,
      user: users.permalink,
      tracks: ofRelease(tracks),
      sets: ofRelease(playlists),
      publish_at: moment<string>(publishAt),
    })
    .from(users)
    .innerJoin(sql`(${readyReleases}) ready`, sql`ready.user_id = ${users.id}`)
    .where(mayRead(operator))
    .orderBy(publishAt, asc(users.id))
    .limit(MOST);
  const imports = on
    .select({
      id: podcastImports.id,
      title: podcastImports.title,
      user_id: users.id,
      user: users.permalink,
      episodes_left: on.$count(
        podcastImportEpisodes,
        and(
          eq(podcastImportEpisodes.importId, podcastImports.id),
          sql`${podcastImportEpisodes.state} in ('waiting', 'fetching')`,
        ),
      ),
      next_run_at: moment<string>(podcastImports.nextRunAt),
    })
    .from(podcastImports)
    .innerJoin(users, eq(users.id, podcastImports.userId))
    .where(and(mayRead(operator), isIdle))
    .orderBy(podcastImports.nextRunAt, podcastImports.id)
    .limit(MOST);
  const [late, idle] = await db.readAll([selected(publications), selected(imports)]);
  return { publications: late, imports: idle };
}
