import { and, desc, eq, inArray, isNotNull, lt, ne, or, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { type CreditState, credits } from "../schema/credits.ts";
import { users } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import { builder } from "../stored-select.ts";
import { type SignedIn, signedIn } from "./caller.ts";
import { shownTo, showTracks } from "./show-tracks.ts";
import { openingOf, seesTrack } from "./visibility.ts";

/** Selects a track if the caller sees it. */
const seen = (caller: SignedIn, trackId: number) =>
  builder
    .select({ one: sql`1` })
    .from(tracks)
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(and(eq(tracks.id, trackId), seesTrack(openingOf(caller.userId))));

interface CreditQuery {
  states: readonly CreditState[];
  /** Id of the credit below which the page begins. */
  before: number;
  limit: number;
  country: string | undefined;
}

/** Lists the tracks that name the caller as an artist and that the caller sees, the latest question first. */
export async function listCredits(db: Database, caller: SignedIn, query: CreditQuery) {
  const choice = builder
    .select({ id: credits.trackId, place: credits.id, answer: credits.state, roles: credits.roles })
    .from(credits)
    .innerJoin(tracks, eq(tracks.id, credits.trackId))
    .innerJoin(users, eq(users.id, tracks.userId))
    .where(
      and(
        eq(credits.userId, caller.userId),
        isNotNull(credits.roles),
        inArray(credits.state, [...query.states]),
        lt(credits.id, query.before),
        ne(tracks.state, "failed"),
        seesTrack(openingOf(caller.userId)),
      ),
    )
    .orderBy(desc(credits.id))
    .limit(query.limit);
  const facts = { secretHash: undefined, country: query.country };
  const rows = await db.read(showTracks.chosenBy(choice, shownTo(caller, facts)));
  return rows.map(({ place, answer, roles, ...track }) => ({ id: place, answer, roles: roles ?? [], track }));
}
export type CreditRow = Awaited<ReturnType<typeof listCredits>>[number];

/**
 * Answers whether the caller is an artist of a track. False if no track that the caller sees names them. Whoever accepted may
 * withdraw that, even where the track was closed to them since.
 */
export async function answerCredit(
  db: Database,
  caller: SignedIn,
  trackId: number,
  answer: "accepted" | "declined",
): Promise<boolean> {
  const isSeen = sql`exists ${seen(caller, trackId)}`;
  const answered = await db.write(
    (on) =>
      on
        .update(credits)
        .set({ state: answer })
        .where(
          and(
            signedIn(caller),
            eq(credits.trackId, trackId),
            eq(credits.userId, caller.userId),
            isNotNull(credits.roles),
            answer === "declined" ? or(eq(credits.state, "accepted"), isSeen) : isSeen,
          ),
        )
        .returning({ id: credits.id }),
    "repeatable",
  );
  return answered.length > 0;
}
