import { databaseFault } from "../../db/faults.ts";
import { Remembered } from "../http/cache.ts";
import { newSecret } from "../security/random.ts";

/** Steps in which a reply is held: one that is late, because the machine was busy, is not the whole wait. */
const STEPS = 5;

/** Uses in this isolate whose replies have not left, with the arrival of the first. */
const unanswered = new Map<string, { since: Date; uses: number }>();

/** Bytes: a hash, a token and their entry. */
const UNTOLD_BYTES = 256;

/** Refresh tokens that were made for a use whose outcome nobody learned. They were told to no one. */
const untold = new Remembered<string, string>({ maxBytes: 256 * 1024, bytesOf: () => UNTOLD_BYTES });

interface Use {
  arrivedAt: Date;
  /** The refresh token that this use makes. */
  refreshToken: string;
}

/**
 * One use of a single-use secret. What comes while another's reply has not left is of its race, however long that took. Replies
 * wait as long as their statement says, for what other isolates got: see `is_replay`.
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
    // Refused, as another client's: it stays for whom it was made.
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
 * A statement that was on its way to the disk when the database stopped stands, though its asker was told 504. The repetition
 * that they were told to make brings the same successor, and so the database knows it as its own. Taken once: of two that
 * come together the other one loses.
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
