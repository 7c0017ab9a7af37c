import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns axe's serious, critical and moderate findings, each with the first element that has the fault. */
export async function faultsOfAccess(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then(({ violations }) => violations
      .filter(({ impact }) => impact !== "minor")
      .map(({ id, nodes }) => id + ": " + nodes[0].html))`,
  );
}
