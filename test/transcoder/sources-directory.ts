import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const hash = createHash("sha256").update(process.env.FFMPEG_PATH ?? "");
for (const name of ["sources.ts", "sources/pcm.ts"])
  hash.update(readFileSync(join(import.meta.dirname, "../support", name)));

/** Survives runs. Another program or ffmpeg gets another directory. */
export const SOURCES_DIRECTORY = join(tmpdir(), `soundpost-sources-${hash.digest("hex").slice(0, 12)}`);
