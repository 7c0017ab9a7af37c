import { existsSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { FileOrder } from "./support/file-order.ts";
import { isFull } from "./support/repeats.ts";

/** Milliseconds: what others do on the machine makes everything late. Only what never comes takes as long. */
const PATIENCE = {
  expect: { poll: { timeout: 90_000, interval: 100 } },
  testTimeout: 240_000,
  hookTimeout: 300_000,
};

/** Core tests, to run over TCP too. `transports.test.ts` compares the transports in detail. */
const OVER_PG = [
  "faults/database",
  "api/favorites/favorites",
  "api/plays/plays-queue",
  ...(isFull
    ? ["auth/oauth/code", "api/playlists/playlists", "api/tracks/tracks", "api/uploads/uploads"]
    : []),
];

const PLAYERS = "test/units/players*.test.ts";

const JOURNEY = "test/browser/journey.test.ts";

/** `isolate: false`: a worker imports what the files share once, not once a file. */
const ON_A_STACK = {
  globalSetup: ["test/support/global-setup.ts"],
  isolate: false,
  setupFiles: ["test/support/each-file.ts"],
  ...PATIENCE,
};

/** The first tells in a moment whether there is a browser; the stack takes longer. */
const IN_A_BROWSER = {
  ...ON_A_STACK,
  globalSetup: ["test/browser/global-setup.ts", "test/support/global-setup.ts"],
};

/** Vitest passes over a file that was renamed. */
function existing(path: string): string {
  if (!existsSync(path)) throw new Error(`${path} is missing: see OVER_PG in test/vitest.config.ts`);
  return path;
}

const project = (name: string, include: string[], further: object) => ({
  test: { name, include, ...further },
});

/** Proves a change: `npm test`. */
const QUICK = [
  project("service", ["test/{lib,api,auth,web}/**/*.test.ts"], ON_A_STACK),
  project("units", ["test/units/**/*.test.ts"], {
    exclude: [...configDefaults.exclude, PLAYERS],
    isolate: false,
    ...PATIENCE,
  }),
  // The browser's scripts go on after a test, as on a page: each file has a worker that ends with it.
  project("players", [PLAYERS], PATIENCE),
];

/** Takes longer, kills what it tests, or needs more than npm installs. */
const REST = [
  project(
    "thorough",
    ["test/{attacks,clients,documents,encoding,faults,slow,transcoder}/**/*.test.ts"],
    ON_A_STACK,
  ),
  project(
    "pg",
    OVER_PG.map((name) => existing(`test/${name}.test.ts`)),
    { ...ON_A_STACK, globalSetup: ["test/support/global-setup-pg.ts"] },
  ),
  project("stack", ["test/{stack,local}/**/*.test.ts"], { isolate: false, ...PATIENCE }),
  project("browser", ["test/browser/**/*.test.ts"], IN_A_BROWSER),
  project("images", ["test/images/**/*.test.ts"], {
    ...ON_A_STACK,
    globalSetup: ["test/support/podman.ts", "test/support/global-setup.ts"],
  }),
];

/** `run.sh` sets `TESTS`. Named files are looked for in all projects. */
const PROJECTS = {
  quick: [...QUICK, project("journey", [JOURNEY], IN_A_BROWSER)],
  rest: REST,
  all: [...QUICK, ...REST],
}[process.env.TESTS ?? "all"];

export default defineConfig({
  test: {
    // Tests wait for half of the time, so two cores take four workers. Vitest's own choice would be one.
    maxWorkers: 4,
    sequence: { sequencer: FileOrder },
    projects: PROJECTS ?? [],
  },
});
