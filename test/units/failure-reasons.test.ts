import { expect, test } from "vitest";
import { mayRetry, reasonSentence, warningSentence } from "../../functions/api/tracks/failures.ts";
import type { Warning } from "../../workers/transcoder/contract.ts";
import { RETRYABLE } from "../../workers/transcoder/failures.ts";

/** Reasons of the transcoder, and those that the database gives. A lost file may come back with a backup. */
const REASONS = {
  ...RETRYABLE,
  source_missing: true,
  gave_up: true,
  lost: true,
  over_quota: true,
  dropped: false,
};

test.each(Object.entries(REASONS))("the owner reads why an encode ended by %s", (reason, retryable) => {
  expect(reasonSentence(reason)).not.toBe(reasonSentence("unknown"));
  expect(mayRetry(reason)).toBe(retryable);
});

const WARNINGS = {
  decode_errors: true,
  shorter_than_declared: true,
  longer_than_declared: true,
  clipped: true,
} satisfies Record<Warning, true>;

test.each(Object.keys(WARNINGS))("the owner reads what is wrong with the file by %s", (warning) => {
  expect(warningSentence(warning)).not.toBe(warningSentence("unknown"));
});
