import type { Reporter, TestModule } from "vitest/node";

/** More than this many at once are no chance: then something is slow, or broken. */
const MAX_SECOND_TRIES = 3;

/** Names the tests that passed only on their second try, and fails a run that has too many of them. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests("passed")]);
    const names = tests
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) => `${test.module.relativeModuleId} > ${test.fullName}`);
    if (names.length === 0) return;
    console.error(`\nPassed on the second try:\n${names.map((name) => `  ${name}\n`).join("")}`);
    if (names.length <= MAX_SECOND_TRIES) return;
    console.error(`These are ${names.length}; more than ${MAX_SECOND_TRIES} fail the run.`);
    process.exitCode = 1;
  }
}
