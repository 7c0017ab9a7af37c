import * as z from "zod";

/** R2's own form, as `wrangler r2 bucket cors set` takes it. */
const CorsRule = z.object({
  allowed: z.object({
    origins: z.array(z.string()),
    methods: z.array(z.string()),
    headers: z.array(z.string()).optional(),
  }),
  exposeHeaders: z.array(z.string()).optional(),
  maxAgeSeconds: z.number().int().optional(),
});
export type CorsRule = z.infer<typeof CorsRule>;

const Buckets = z.record(z.string(), z.object({ cors: z.array(CorsRule).default([]) }));

const Environment = z.object({
  /** 0 picks a free port, which the `listening` line reports. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  HOSTS: z.string().default("127.0.0.1,::1"),
  /** Used by this server only. It is created if missing. */
  DATA_DIR: z.string().min(1),
  /** JSON: further directories that need free space. */
  ROOM_IN: z.string().default("[]"),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  S3_BUCKETS: z.string(),
  EXIT_WITH_PARENT: z.string().optional(),
  FAULTS: z.string().optional(),
});

export function readConfig(environment: NodeJS.ProcessEnv) {
  const read = Environment.parse(environment);
  return {
    port: read.PORT,
    hosts: read.HOSTS.split(",").map((host) => host.trim()),
    directory: read.DATA_DIR,
    roomIn: [read.DATA_DIR, ...z.array(z.string()).parse(JSON.parse(read.ROOM_IN))],
    credentials: { accessKeyId: read.S3_ACCESS_KEY_ID, secretAccessKey: read.S3_SECRET_ACCESS_KEY },
    buckets: Buckets.parse(JSON.parse(read.S3_BUCKETS)),
    exitsWithParent: read.EXIT_WITH_PARENT === "1",
    hasFaults: read.FAULTS === "1",
  };
}

export type Config = ReturnType<typeof readConfig>;
