import { configDefaults, defineConfig } from "vitest/config";
import { FileOrder } from "./support/file-order.ts";
import { isFull } from "./support/repeats.ts";

/** Milliseconds: what others do on the machine makes everything late. Only what never comes takes as long. */
const PATIENCE = {
  expect: { poll: { timeout: 30_000, interval: 100 } },
  testTimeout: 120_000,
  hookTimeout: 180_000,
};

/** Core tests, to run over TCP too. `transports.test.ts` compares the transports in detail. */
const OVER_PG = [
  ...["faults/database", "favorites/likes", "plays/plays-queue"],
  ...(isFull ? ["oauth/code", "playlists/playlists", "tracks/tracks", "uploads/uploads"] : []),
];

/** The other projects follow `service`. */
const LATER = { sequence: { groupOrder: 1 } };

const PLAYERS = "test/units/players*.test.ts";

/** Projects by what they need: `units` and `players` nothing, `service` one running stack, `stack` starts and kills stacks of its own. */
export default defineConfig({
  test: {
    // Tests wait for half of the time, so two cores take four workers. Vitest's own choice would be one.
    maxWorkers: 4,
    sequence: { sequencer: FileOrder },
    projects: [
      {
        test: {
          name: "units",
          include: ["test/{units,local}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, PLAYERS],
          isolate: false,
          // It imports from the platform, which Node has not: not left to Node, that may be mocked.
          server: { deps: { inline: ["@cloudflare/containers"] } },
          ...LATER,
          ...PATIENCE,
        },
      },
      {
        test: {
          // The browser's scripts go on after a test, as on a page: each file has a worker that ends with it.
          name: "players",
          include: [PLAYERS],
          ...LATER,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "service",
          include: ["test/{service,transcoder}/**/*.test.ts"],
          globalSetup: ["test/support/global-setup.ts"],
          // A worker imports what the files share once, not once a file.
          isolate: false,
          setupFiles: ["test/support/each-file.ts"],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "pg",
          include: OVER_PG.map((name) => `test/service/${name}.test.ts`),
          globalSetup: ["test/support/global-setup-pg.ts"],
          isolate: false,
          setupFiles: ["test/support/each-file.ts"],
          ...LATER,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          // The first tells in a moment whether there is a browser; the stack takes longer.
          globalSetup: ["test/browser/global-setup.ts", "test/support/global-setup.ts"],
          isolate: false,
          setupFiles: ["test/support/each-file.ts"],
          ...LATER,
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "stack",
          include: ["test/stack/**/*.test.ts"],
          isolate: false,
          ...LATER,
          ...PATIENCE,
        },
      },
    ],
  },
});
