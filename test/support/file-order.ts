import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PROJECT_DIR } from "./structure.ts";

/** Files that mostly wait, with the seconds that they take. */
export const WAITING: Record<string, number> = {
  "test/slow/pictures.test.ts": 63,
  "test/slow/takedown.test.ts": 61,
  "test/faults/replica.test.ts": 60,
  "test/encoding/storage-stalls.test.ts": 60,
  "test/browser/upload-interrupted.test.ts": 60,
  "test/browser/moderation.test.ts": 57,
  "test/browser/growing.test.ts": 45,
  "test/faults/oauth-pauses.test.ts": 39,
  "test/encoding/waiting-jobs.test.ts": 38,
  "test/encoding/transcoder-deploys.test.ts": 37,
  "test/encoding/transcoder-stalls.test.ts": 34,
  "test/stack/deadline.test.ts": 30,
  "test/faults/clock-skew.test.ts": 28,
  "test/encoding/fault-schedule.test.ts": 25,
  "test/slow/rotation.test.ts": 25,
  "test/slow/webhooks-delivery.test.ts": 25,
  "test/faults/uploads-interruptions.test.ts": 25,
  "test/faults/events-faults.test.ts": 23,
  "test/faults/outages.test.ts": 21,
  "test/faults/oauth-faults.test.ts": 20,
  "test/slow/connections-posts.test.ts": 19,
  "test/slow/tracks-delete.test.ts": 17,
  "test/faults/faults-write.test.ts": 15,
  "test/faults/faults-read.test.ts": 15,
  "test/units/heartbeat.test.ts": 4,
};

/**
 * Projects in this order: images first, because their builds leave the cores to others; the shortest files last, so that all
 * workers end at about the same time.
 */
const PROJECTS = ["images", "journey", "service", "thorough", "pg", "stack", "browser", "players", "units"];

/** Share of the other files among which those that wait are spread, since the last must not end alone. */
const SPREAD = 0.8;

const pathOf = ({ moduleId }: TestSpecification) => relative(PROJECT_DIR, moduleId);

/** Spreads the files that wait among those that compute, so that neither cores nor workers idle. */
export function spread<File>(computing: File[], waiting: File[]): File[] {
  const step = Math.max(1, Math.floor((computing.length * SPREAD) / Math.max(1, waiting.length)));
  const files = [...computing];
  for (const [index, file] of waiting.entries()) files.splice(index * (step + 1), 0, file);
  return files;
}

/** Orders the files of a whole run. A worker is reused only between neighbours of one project. */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // The longest first by the last run, or else the largest.
    const sorted = await super.sort(files);
    const byLength = (a: TestSpecification, b: TestSpecification) =>
      (WAITING[pathOf(b)] ?? 0) - (WAITING[pathOf(a)] ?? 0);
    return PROJECTS.flatMap((project) => {
      const own = sorted.filter((file) => file.project.name === project);
      const waiting = own.filter((file) => pathOf(file) in WAITING).sort(byLength);
      return spread(
        own.filter((file) => !(pathOf(file) in WAITING)),
        waiting,
      );
    });
  }
}
