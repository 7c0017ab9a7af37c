import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_DIR, pagePaths, read } from "../support/structure.ts";

/** More is not read. What an operator needs beyond it stands on pages beside the README. */
const MAX_WORDS = 600;

/** The typed client's, which its package brings. */
const OF_THE_CLIENT = "functions/client/README.md";

const readmes = pagePaths().filter((path) => /(?:^|\/)README\.md$/.test(path) && path !== OF_THE_CLIENT);

/** Counts as `wc -w` does. */
const wordsOf = (path: string): number => read(path).trim().split(/\s+/).length;

/** Lists the links to files. Those of guides lead to addresses of the site. */
const linksIn = (path: string): string[] =>
  [...read(path).matchAll(/\]\(([\w.][^)#:]*)(?:#[^)]*)?\)/g)].map(([, target = ""]) => target);

test("each room and program has a README", () => {
  for (const folder of ["", "functions/api/", "functions/web/", "workers/deploy/", "db/", "test/bench/"])
    expect(readmes).toContain(`${folder}README.md`);
});

test.each(readmes)("%s is read in three minutes", (path) => {
  expect(wordsOf(path)).toBeLessThanOrEqual(MAX_WORDS);
});

test("every link between pages leads somewhere", () => {
  const broken = pagePaths().flatMap((path) =>
    linksIn(path).flatMap((target) =>
      existsSync(join(PROJECT_DIR, dirname(path), target)) ? [] : [`${path}: ${target}`],
    ),
  );
  expect(broken).toEqual([]);
});
