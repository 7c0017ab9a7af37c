import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bucketOf, type Environment } from "./environment.ts";
import { askWrangler, doByWrangler } from "./wrangler.ts";

/** Any page may put the parts of an upload, by the URLs that we sign, and has to read back the ETag of each. */
export const UPLOADS_CORS = [
  {
    allowed: { origins: ["*"], methods: ["PUT"], headers: ["*"] },
    exposeHeaders: ["ETag"],
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

/** Seconds. Upload sessions end long before; this is for those that were forgotten on both sides. */
const STALE_UPLOAD_S = 7 * 24 * 3600;

export const UPLOADS_LIFECYCLE = [
  {
    id: "abort-stale-uploads",
    enabled: true,
    conditions: { prefix: "" },
    abortMultipartUploadsTransition: { condition: { type: "Age", maxAge: STALE_UPLOAD_S } },
  },
];

/** Creates what is missing and sets the rules again: repeating is harmless. */
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

async function createBucket(bucket: string, env: string): Promise<void> {
  // Not `info`: it also asks for metrics, which a token for deploys need not be allowed to read.
  if ((await askWrangler("r2", "bucket", "lifecycle", "list", bucket, "--env", env)).ok) return;
  await doByWrangler(`Bucket ${bucket} created`, "r2", "bucket", "create", bucket, "--env", env);
}

async function setRules(kind: "cors" | "lifecycle", bucket: string, rules: object[], env: string) {
  const directory = mkdtempSync(join(tmpdir(), "soundpost-rules-"));
  const file = join(directory, `${kind}.json`);
  try {
    writeFileSync(file, JSON.stringify({ rules }));
    const set = ["r2", "bucket", kind, "set", bucket, "--file", file, "--force", "--env", env];
    await doByWrangler(`Bucket ${bucket}: ${kind} rules set`, ...set);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
