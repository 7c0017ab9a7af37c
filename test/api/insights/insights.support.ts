import type { Insights } from "../../../functions/api/insights/representation.ts";
import { listenerCode, type PlayedBy } from "../../../functions/api/media/listener.ts";
import { api } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { deliver, runCron, sql, stack } from "../../support/stack.ts";
import { played } from "../plays/plays.support.ts";

/** Two listeners of one register are taken for one. */
export const registerOf = (who: PlayedBy): number => listenerCode(stack.secrets, who) >> 5;

/** Visitors who are told apart. */
export const visitors = (count: number, from = 0): PlayedBy[] => {
  const found = new Map<number, PlayedBy>();
  for (let n = from; found.size < count; n++) {
    const who = { userId: null, address: `10.9.${n >> 8}.${n & 255}` };
    found.set(registerOf(who), who);
  }
  return [...found.values()];
};

/** A queue message about a play, with what insights keep of it. */
export const heard = (track: number, who: PlayedBy, known: Record<string, unknown> = {}, minutesAgo = 0) => ({
  body: {
    ...played(track, who, minutesAgo),
    listener: listenerCode(stack.secrets, who),
    ...known,
  },
});

/** A play of an earlier day that is still to be added up. A play that came now and was moved there might be added up before. */
export const addPendingPlay = (track: number, who: PlayedBy, daysAgo = 0) =>
  sql(
    `with play as (
       insert into pending_plays (track_id, hour, listener)
       values ($1, date_trunc('hour', now() - make_interval(days => $2), 'UTC'), $3) returning track_id, hour)
     insert into counter_deltas (kind, subject_id, counter, hour, delta)
     select 'track', track_id, 'playback_count', hour, 1 from play`,
    [track, daysAgo, listenerCode(stack.secrets, who)],
  );

export const deliverPlays = (...messages: { body: unknown }[]) => deliver("plays", messages);

export const insightsOf = async (who: Person, path: string, query = "") =>
  (await api.as(who).get<Insights>(`${path}/insights${query}`)).body;

/** Sweeps until nothing of these tracks is pending. */
export async function sweepInsights(...tracks: number[]): Promise<void> {
  for (;;) {
    await runCron("*/5 * * * *");
    const [left] = await sql(
      `select (select count(*) from counter_deltas where kind = 'track' and subject_id = any($1))
        + (select count(*) from pending_plays where track_id = any($1)) as rows`,
      [tracks],
    );
    if (Number(left?.rows) === 0) return;
  }
}
