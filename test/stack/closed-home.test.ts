import { cpSync, lstatSync, realpathSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { startDatabase } from "./database.ts";
import { asked } from "./managed-database.ts";
import { temporaryDataDir } from "./npm-start.ts";

/** Only root switches to another user, who may be unable to enter. */
test.runIf(process.getuid?.() === 0)(
  "the database of a closed home directory lives outside it, stays there, and belongs to no copy of it",
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
      const copy = join(home, "copy");
      cpSync(dataDir, copy, { recursive: true, verbatimSymlinks: true });
      await expect(startDatabase(copy)).rejects.toThrow(
        `${copy} is a copy of ${dataDir}, but the database is not`,
      );
      expect(await asked(second.databaseUrl, "SELECT what FROM kept")).toEqual([{ what: "before" }]);
      await second.stop({ keepData: true });
      // A directory that was moved has no other.
      rmSync(copy, { recursive: true });
      renameSync(dataDir, copy);
      const third = await startDatabase(copy);
      expect(await asked(third.databaseUrl, "SELECT what FROM kept")).toEqual([{ what: "before" }]);
      await third.stop();
    } finally {
      rmSync(dirname(elsewhere), { recursive: true, force: true });
      rmSync(home, { recursive: true, force: true });
    }
  },
);
