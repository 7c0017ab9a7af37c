import type { TestProject } from "vitest/node";
import setUp from "./global-setup.ts";

/** Nothing listens there, so that no statement can take the other way. */
const NO_PROXY = "http://127.0.0.1:9/sql";

/**
 * Starts the project's stack with its Worker on PostgreSQL's own protocol. Tests call the crons: every two seconds they would
 * open six connections, all through the run.
 */
export default (project: TestProject) =>
  setUp(project, {
    crons: false,
    env: ({ appDatabaseUrl }) => ({
      DATABASE_URL: appDatabaseUrl,
      DATABASE_PROXY_URL: NO_PROXY,
      DATABASE_TRANSPORT: "pg",
    }),
  });
