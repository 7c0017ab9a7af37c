import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bucketOf, type Environment } from "./environment.ts";
import { createUnlessThere, runWrangler } from "./wrangler.ts";

/** Any page may upload parts by our signed URLs, whose ETags it must read, and download originals by them. */
export const UPLOADS_CORS = [
  {
    allowed: { origins: ["*"], methods: ["PUT", "GET", "HEAD"], headers: ["*"] },
    exposeHeaders: ["Content-Disposition", "Content-Length", "Content-Range", "Accept-Ranges", "ETag"],
    maxAgeSeconds: 3600,
  },
];

export const MEDIA_CORS = [
  {
    allowed: { origins: ["*"], methods: ["GET", "HEAD"], headers: ["*"] },
    exposeHeaders: ["Content-Length", "Content-Range", "Accept-Ranges", "ETag"],
    maxAgeSeconds: 3600,
  },
];

/** Seconds. Catches uploads that both sides forgot. Upload sessions end much sooner. */
const STALE_UPLOAD_S = 7 * 24 * 3600;

export const UPLOADS_LIFECYCLE = [
  {
    id: "abort-stale-uploads",
    enabled: true,
    conditions: { prefix: "" },
    abortMultipartUploadsTransition: { condition: { type: "Age", maxAge: STALE_UPLOAD_S } },
  },
];

/** Creates missing buckets and resets their rules. Repeating is harmless. */
export async function prepareBuckets(into: Environment): Promise<void> {
  const uploads = bucketOf(into, "UPLOADS");
  const media = bucketOf(into, "MEDIA");
  const env = into.environment;
  await Promise.all([uploads, media].map((bucket) => createBucket(bucket, env)));
  await Promise.all([
    setRules("cors", uploads, UPLOADS_CORS, env),
    setRules("cors", media, MEDIA_CORS, env),
    setRules("lifecycle", uploads, UPLOADS_LIFECYCLE, env),
  ]);
}

const createBucket = (bucket: string, env: string): Promise<void> =>
  createUnlessThere(`Bucket ${bucket}`, "r2", "bucket", "create", bucket, "--env", env);

async function setRules(kind: "cors" | "lifecycle", bucket: string, rules: object[], env: string) {
  const directory = mkdtempSync(join(tmpdir(), "soundpost-rules-"));
  const file = join(directory, `${kind}.json`);
  try {
    writeFileSync(file, JSON.stringify({ rules }));
    const set = ["r2", "bucket", kind, "set", bucket, "--file", file, "--force", "--env", env];
    await runWrangler(`Bucket ${bucket}: ${kind} rules set`, ...set);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
