import { databaseFault } from "../../../db/faults.ts";
import { LruCache } from "../../lib/http/cache.ts";
import { newSecret } from "../../lib/security/random.ts";

/** Steps of the delay: a stalled machine loses one step, not the whole delay. */
const STEPS = 5;

/** Pending uses in this isolate, with the arrival of the first. */
const unanswered = new Map<string, { since: Date; uses: number }>();

/** Bytes: a hash, a token and their entry. */
const UNSENT_BYTES = 256;

/** Refresh tokens of uses whose outcome is unknown. No client has received them. */
const unsentTokens = new LruCache<string, string>({ maxBytes: 256 * 1024, bytesOf: () => UNSENT_BYTES });

interface Use {
  arrivedAt: Date;
  /** The refresh token that this use issues. */
  refreshToken: string;
}

/**
 * Uses a single-use secret once. Uses that arrive before the reply to the first belong to its race. Replies wait as
 * long as the statement says, because other isolates may have issued tokens: see `exchange_code`.
 */
export async function useOnce<Found extends object>(
  hash: string,
  arrivedAt: Date,
  use: (given: Use) => Promise<Found>,
): Promise<{ found: Found; refreshToken: string }> {
  const race = unanswered.get(hash) ?? { since: arrivedAt, uses: 0 };
  unanswered.set(hash, race);
  race.uses += 1;
  try {
    const unsent = takeUnsentToken(hash);
    const refreshToken = unsent ?? newSecret("rt");
    const save = () => unsentTokens.set(hash, refreshToken);
    const found = await use({ arrivedAt: race.since, refreshToken }).catch((error: unknown) => {
      if (unsent || isOutcomeUnknown(error)) save();
      throw error;
    });
    // Keeps the token after a refusal, such as another client's, for the client it was made for.
    if (unsent && !("outcome" in found && found.outcome === "issued")) save();
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
 * A statement may commit although the client received 504. The retry sends the same successor, by which the database
 * recognizes it. The token is taken once, so one of two concurrent retries fails.
 */
function takeUnsentToken(hash: string): string | undefined {
  const unsent = unsentTokens.get(hash);
  unsentTokens.delete(hash);
  return unsent;
}

function isOutcomeUnknown(error: unknown): boolean {
  const kind = databaseFault(error)?.kind;
  return kind === "lost" || kind === "timeout";
}
