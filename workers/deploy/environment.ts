import { existsSync } from "node:fs";
import { unstable_readConfig } from "wrangler";
import * as z from "zod";
import { VALUES, writeConfig } from "./config.ts";
import { Refused } from "./wrangler.ts";

/** The part of wrangler's configuration that a deploy needs. wrangler types it as `any`. */
const Config = z.object({
  name: z.string(),
  vars: z.record(z.string(), z.string()),
  secrets: z.object({ required: z.array(z.string()) }),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })),
  queues: z.object({
    producers: z.array(z.object({ binding: z.string(), queue: z.string() })),
    consumers: z.array(z.object({ queue: z.string(), dead_letter_queue: z.string().optional() })),
  }),
  routes: z.array(z.object({ pattern: z.string(), custom_domain: z.literal(true) })),
  triggers: z.object({ crons: z.array(z.string()) }),
  assets: z.object({ binding: z.literal("ASSETS") }),
  send_email: z.array(z.object({ name: z.string() })),
  ratelimits: z.array(z.object({ name: z.string() })),
  durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })) }),
  containers: z.array(
    z.object({
      class_name: z.string(),
      image: z.string(),
      instance_type: z.string(),
      max_instances: z.int().positive(),
    }),
  ),
});

export type Environment = z.infer<typeof Config> & { environment: string };

/** Throws wrangler's own message if the configuration is invalid. */
export function readEnvironment(environment: string): Environment {
  const parsed = Config.safeParse(unstable_readConfig({ config: writeConfig(), env: environment }));
  if (parsed.success) return { ...parsed.data, environment };
  throw new Refused(
    `wrangler.toml, with ${VALUES} laid over it: env.${environment} is incomplete:`,
    z.prettifyError(parsed.error),
  );
}

export function bucketOf({ environment, r2_buckets }: Environment, binding: "UPLOADS" | "MEDIA"): string {
  const found = r2_buckets.find((bucket) => bucket.binding === binding);
  if (!found) throw new Refused(`wrangler.toml: env.${environment} binds no bucket to ${binding}`);
  return found.bucket_name;
}

/** Returns the id of the Cloudflare account, `undefined` while the example stands there. */
export const accountOf = ({ vars }: Environment): string | undefined =>
  /^https:\/\/([0-9a-f]{32})\./.exec(vars.S3_ENDPOINT ?? "")?.[1];

/** Tells wrangler the account. With a token for several accounts it would ask, and nobody could answer. */
export function nameAccount(environment: Environment): void {
  const account = accountOf(environment);
  if (account) process.env.CLOUDFLARE_ACCOUNT_ID ||= account;
}

export const queuesOf = ({ queues }: Environment): string[] => [
  ...new Set([...queues.producers, ...queues.consumers].map(({ queue }) => queue)),
];

/** Whether wrangler builds an image. One that is named by its place in a registry is there already. */
export const buildsImages = ({ containers }: Environment): boolean =>
  containers.some(({ image }) => existsSync(image));

/** Lists `vars` and hosts that still hold this repository's examples. */
export const placeholders = ({ vars, routes }: Environment): string[] =>
  [
    ...Object.entries(vars).map(([name, value]) => `${name} = ${value}`),
    ...routes.map(({ pattern }) => pattern),
  ].filter((text) => /\.example\b|ACCOUNT_ID/.test(text));
