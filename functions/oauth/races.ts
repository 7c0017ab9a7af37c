/** Steps in which a reply is held: one that is late, because the machine was busy, is not the whole wait. */
const STEPS = 5;

/** Uses in this isolate whose replies have not left, with the arrival of the first. */
const unanswered = new Map<string, { since: Date; uses: number }>();

/**
 * One use of a single-use secret. What comes while another's reply has not left is of its race, however long that took. Replies
 * wait as long as their statement says, for what other isolates got: see `is_replay_v1`.
 */
export async function inRace<Found extends object>(
  hash: string,
  arrivedAt: Date,
  use: (arrivedAt: Date) => Promise<Found>,
): Promise<Found> {
  const race = unanswered.get(hash) ?? { since: arrivedAt, uses: 0 };
  unanswered.set(hash, race);
  race.uses += 1;
  try {
    const found = await use(race.since);
    const holdMs = "hold_ms" in found ? Number(found.hold_ms) : 0;
    for (let step = 0; step < STEPS && holdMs > 0; step++)
      await new Promise((resolve) => setTimeout(resolve, holdMs / STEPS));
    return found;
  } finally {
    race.uses -= 1;
    if (race.uses === 0) unanswered.delete(hash);
  }
}
