import { databaseFault } from "../../db/faults.ts";
import { Remembered } from "../http/cache.ts";
import { newSecret } from "../security/random.ts";

/** Steps of the delay: if the machine stalls, one step passes unused, not the whole delay. */
const STEPS = 5;

/** Uses in this isolate that have not been answered yet, with the arrival of the first. */
const unanswered = new Map<string, { since: Date; uses: number }>();

/** Bytes: a hash, a token and their entry. */
const UNTOLD_BYTES = 256;

/** Refresh tokens of uses whose outcome is unknown. No client has received them. */
const untold = new Remembered<string, string>({ maxBytes: 256 * 1024, bytesOf: () => UNTOLD_BYTES });

interface Use {
  arrivedAt: Date;
  /** The refresh token that this use issues. */
  refreshToken: string;
}

/**
 * Uses a single-use secret once. Uses that arrive before the first is answered belong to its race. Replies
 * wait as long as the statement says, because other isolates may have issued tokens: see `is_replay`.
 */
export async function inRace<Found extends object>(
  hash: string,
  arrivedAt: Date,
  use: (given: Use) => Promise<Found>,
): Promise<{ found: Found; refreshToken: string }> {
  const race = unanswered.get(hash) ?? { since: arrivedAt, uses: 0 };
  unanswered.set(hash, race);
  race.uses += 1;
  try {
    const kept = takeUntold(hash);
    const refreshToken = kept ?? newSecret("rt");
    const keep = () => untold.set(hash, refreshToken);
    const found = await use({ arrivedAt: race.since, refreshToken }).catch((error: unknown) => {
      if (kept || nobodyKnows(error)) keep();
      throw error;
    });
    // Keeps the token after a refusal, such as another client's, for the client it was made for.
    if (kept && !("outcome" in found && found.outcome === "issued")) keep();
    const holdMs = "hold_ms" in found ? Number(found.hold_ms) : 0;
    for (let step = 0; step < STEPS && holdMs > 0; step++)
      await new Promise((resolve) => setTimeout(resolve, holdMs / STEPS));
    return { found, refreshToken };
  } finally {
    race.uses -= 1;
    if (race.uses === 0) unanswered.delete(hash);
  }
}

/**
 * A statement may commit although the client was told 504. The repetition sends the same successor, by which
 * the database recognizes it. The token is taken once, so of two concurrent repetitions one fails.
 */
function takeUntold(hash: string): string | undefined {
  const kept = untold.get(hash);
  untold.delete(hash);
  return kept;
}

function nobodyKnows(error: unknown): boolean {
  const kind = databaseFault(error)?.kind;
  return kind === "lost" || kind === "timeout";
}
