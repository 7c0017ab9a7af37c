import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writePrivateFile } from "../../workers/local/stack/private-file.ts";
import { mountSmallDisk } from "../support/small-disk.ts";

test("a file that does not fit on the disk leaves the one before, and nothing else", async () => {
  const disk = await mountSmallDisk(1);
  try {
    const directory = join(disk.inside, "data");
    mkdirSync(directory);
    const path = join(directory, "secrets.json");
    writePrivateFile(path, "before");
    // A part fits.
    disk.fill(4096);
    expect(() => writePrivateFile(path, "x".repeat(6_000))).toThrow("ENOSPC");
    expect(readFileSync(path, "utf8")).toBe("before");
    expect(readdirSync(directory)).toEqual(["secrets.json"]);
  } finally {
    await disk.unmount();
  }
});
