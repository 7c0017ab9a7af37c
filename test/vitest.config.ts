import { defineConfig } from "vitest/config";

/** Projects by what they need: `units` nothing, `service` one running stack, `stack` starts and kills stacks of its own. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "units",
          include: ["test/{units,transcoder,local}/**/*.test.ts"],
          // It imports from the platform, which Node has not: not left to Node, that may be mocked.
          server: { deps: { inline: ["@cloudflare/containers"] } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "service",
          include: ["test/service/**/*.test.ts"],
          globalSetup: ["test/support/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          // The first tells in a moment whether there is a browser; the stack takes longer.
          globalSetup: ["test/browser/global-setup.ts", "test/support/global-setup.ts"],
          // A page does what it does when the machine gets to it.
          expect: { poll: { timeout: 30_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "stack",
          include: ["test/stack/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
