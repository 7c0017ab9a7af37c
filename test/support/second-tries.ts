/**
 * Runs all tests with the options of the command line. Then repeats the files that failed, alone and from their start, since a
 * test that failed by chance leaves half a state behind. The end names the files that passed only then.
 */
import { parseCLI, startVitest } from "vitest/node";

/** More files than this at once are no chance: then something is slow, or broken. */
const MAX_SECOND_TRIES = 3;

const { options } = parseCLI(["vitest", "run", ...process.argv.slice(2)]);
const { state } = await startVitest([], options);
const failed = state.getTestModules().filter((module) => !module.ok());

// Ctrl-C sets 130, and errors outside of tests belong to no file.
const isOfFiles = process.exitCode === 1 && state.getUnhandledErrors().length === 0;
if (isOfFiles && failed.length > MAX_SECOND_TRIES)
  console.error(`\n${failed.length} files failed; up to ${MAX_SECOND_TRIES} would have had a second try.`);
else if (isOfFiles && failed.length > 0) {
  const names = failed.map((module) => `  ${module.relativeModuleId}\n`).join("");
  console.error(`\nThe second try of what failed:\n${names}`);
  process.exitCode = 0;
  await startVitest(
    failed.map((module) => module.moduleId),
    options,
  );
  if (process.exitCode === 0) console.error(`\nPassed on the second try:\n${names}`);
}
process.exit();
