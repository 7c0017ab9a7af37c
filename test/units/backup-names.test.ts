import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generationPath, generationsIn, nextName } from "../../workers/admin/backup/generations.ts";

test("backups after one of a clock that was years ahead are newer by short names, which restart once time has passed it", () => {
  const backup = mkdtempSync(join(tmpdir(), "soundpost-names-"));
  const make = (at: string) => {
    const name = nextName(backup, at);
    mkdirSync(generationPath(backup, name), { recursive: true });
    writeFileSync(join(generationPath(backup, name), "manifest.json"), "{}");
    return name;
  };
  try {
    const future = make("2099-01-01T00:00:00.000Z");
    // Earlier versions added a sign each time.
    mkdirSync(generationPath(backup, `${future}++`));
    writeFileSync(join(generationPath(backup, `${future}++`), "manifest.json"), "{}");
    const after = Array.from({ length: 12 }, () => make("2026-11-26T04:00:00.000Z"));
    expect(after.at(-1)).toBe(`${future}+000012`);
    const later = make("2099-01-02T00:00:00.000Z");
    expect(generationsIn(backup)).toEqual([future, `${future}++`, ...after, later]);
  } finally {
    rmSync(backup, { recursive: true });
  }
});
