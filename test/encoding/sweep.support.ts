import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { type ExpectStatic, expect } from "vitest";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../workers/local/worker/bindings.ts";
import { runCron, sql } from "../support/stack.ts";
import { s3 } from "../support/tracks.ts";

const BUCKETS = { uploads: UPLOADS_BUCKET, media: MEDIA_BUCKET };

/**
 * Sweeps until the condition holds, because a run handles a batch and skips rows of concurrent runs. Tests that
 * run at once give their own `expect`.
 */
export const swept = <Seen>(look: () => Promise<Seen>, own: ExpectStatic = expect) =>
  own.poll(async () => {
    await runCron("*/5 * * * *");
    return look();
  });

export const keysUnder = async (bucket: keyof typeof BUCKETS, prefix: string) =>
  ((await s3.send(new ListObjectsV2Command({ Bucket: BUCKETS[bucket], Prefix: prefix }))).Contents ?? []).map(
    ({ Key = "" }) => Key,
  );

/** Whether the prefix is listed and due, or already swept by another test. */
export async function isGarbage(bucket: keyof typeof BUCKETS, prefix: string): Promise<boolean> {
  const [listed] = await sql<{ due: boolean }>(
    "select due_at <= now() as due from object_garbage where bucket = $1 and prefix = $2",
    [bucket, prefix],
  );
  return listed?.due ?? (await keysUnder(bucket, prefix)).length === 0;
}
