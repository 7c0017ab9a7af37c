import { lstatSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startDatabase } from "./database.ts";
import { asked } from "./managed-database.ts";
import { temporaryDataDir } from "./npm-start.ts";

/** Only root switches to another user, who may be unable to enter. */
test.runIf(process.getuid?.() === 0)(
  "the database of a closed home directory lives outside it, and stays there",
  async () => {
    const home = temporaryDataDir();
    const dataDir = join(home, "data");
    const first = await startDatabase(dataDir);
    const elsewhere = realpathSync(join(dataDir, "postgres"));
    try {
      expect(lstatSync(join(dataDir, "postgres")).isSymbolicLink()).toBe(true);
      expect(elsewhere).toMatch(/^\/var\/lib\/soundpost\//);
      await asked(first.databaseUrl, "CREATE TABLE kept AS SELECT 'before' AS what");
      await first.stop({ keepData: true });
      const second = await startDatabase(dataDir);
      expect(await asked(second.databaseUrl, "SELECT what FROM kept")).toEqual([{ what: "before" }]);
      await second.stop();
    } finally {
      rmSync(dirname(elsewhere), { recursive: true, force: true });
      rmSync(home, { recursive: true, force: true });
    }
  },
);
