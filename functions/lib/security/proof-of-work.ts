import { createHash } from "node:crypto";

/** Answers in a proof. Together they take about as long each time; one alone would take a moment or very long. */
const PARTS = 16;

/** Hashes that a browser computes for a proof on average: a second on a laptop, two or three on a phone. */
const DEFAULT_HASHES = 300_000;
/** Fewer prove nothing; more keep a phone busy for half an hour. */
const [LEAST_HASHES, MOST_HASHES] = [1_000, 100_000_000];

const ANSWERS = new RegExp(`^\\d{1,10}(?:\\.\\d{1,10}){${PARTS - 1}}$`);

interface Difficulty {
  /** Hashes on average, a number. */
  PROOF_OF_WORK_HASHES?: string;
}

/** A puzzle, as the page gives it to its script. */
interface Puzzle {
  /** Short, so that it fits with a part's number and answer into one block of SHA-256. */
  task: string;
  parts: number;
  /** The first 32 bits of each answer's hash must be below it. */
  bound: number;
}

/** The puzzle of a form. The form's token is signed and expires, and so its puzzle is ours and expires with it. */
export const puzzleOf = (env: Difficulty, formToken: string): Puzzle => ({
  task: createHash("sha256").update(formToken).digest("base64url").slice(0, 22),
  parts: PARTS,
  bound: Math.floor((2 ** 32 * PARTS) / hashesOf(env)),
});

/** An unreadable setting must not end the check. */
function hashesOf({ PROOF_OF_WORK_HASHES }: Difficulty): number {
  const hashes = Number(PROOF_OF_WORK_HASHES);
  return isNumberOfHashes(hashes) ? hashes : DEFAULT_HASHES;
}

export const isNumberOfHashes = (hashes: number): boolean =>
  Number.isInteger(hashes) && hashes >= LEAST_HASHES && hashes <= MOST_HASHES;

/** Whether `proof` has an answer to each part, separated by dots. Takes 16 hashes at most. */
export const isSolved = ({ task, bound }: Puzzle, proof: string): boolean =>
  ANSWERS.test(proof) &&
  proof
    .split(".")
    .every(
      (answer, part) =>
        createHash("sha256").update(`${task}.${part}.${answer}`).digest().readUInt32BE() < bound,
    );
