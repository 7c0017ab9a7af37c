import { type CliOptions, startVitest } from "vitest/node";

/** More files than this at once are no chance: then something is slow, or broken. */
const MAX_SECOND_TRIES = 3;

/**
 * Runs all tests, then the files that failed once more, alone and from their start: a test that failed by chance leaves half a
 * state behind. The end names the files that passed only then. Sets the process's exit code.
 */
export async function runWithSecondTries(options: CliOptions): Promise<void> {
  const { state } = await startVitest([], { ...options, run: true });
  const failed = state.getTestModules().filter((module) => !module.ok());
  // Ctrl-C sets 130, and errors outside of tests belong to no file.
  const isOfFiles = process.exitCode === 1 && state.getUnhandledErrors().length === 0;
  if (!isOfFiles || failed.length === 0) return;
  if (failed.length > MAX_SECOND_TRIES) {
    console.error(`\n${failed.length} files failed; up to ${MAX_SECOND_TRIES} would have had a second try.`);
    return;
  }
  const names = failed.map((module) => `  ${module.relativeModuleId}\n`).join("");
  console.error(`\nThe second try of what failed:\n${names}`);
  process.exitCode = 0;
  await startVitest(
    failed.map((module) => module.moduleId),
    { ...options, run: true },
  );
  if (process.exitCode === 0) console.error(`\nPassed on the second try:\n${names}`);
}

if (import.meta.main) {
  await runWithSecondTries({ config: "test/vitest.config.ts" });
  process.exit();
}
