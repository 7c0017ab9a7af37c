import { bucketOf, type Environment, placeholders, queuesOf } from "./environment.ts";

/** Describes the steps of a deploy, in order. */
export const plan = (environment: Environment): string[] => [
  `Environment ${environment.environment}`,
  `  Secrets     ${environment.secrets.required.join(", ")}`,
  "  Migrations  db/migrations and db/functions, over MIGRATOR_DATABASE_URL",
  `  Buckets     ${bucketOf(environment, "UPLOADS")} (parts PUT from any origin, stale ones removed)`,
  `              ${bucketOf(environment, "MEDIA")}`,
  `  Queues      ${queuesOf(environment).join(", ")}`,
  ...environment.containers.map(
    ({ class_name, instance_type, max_instances }) =>
      `  Container   ${class_name}, at most ${max_instances} of ${instance_type}`,
  ),
  `  Worker      ${environment.name}`,
  `  Hosts       ${environment.routes.map(({ pattern }) => pattern).join(", ")}`,
  `  Crons       ${environment.triggers.crons.join(", ")}`,
  ...placeholders(environment).map((text) => `  To fill in  ${text}`),
];
