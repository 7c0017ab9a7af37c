import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { MEDIA_BUCKET } from "../../workers/local/worker-bindings.ts";
import { sql } from "../support/stack.ts";
import { s3, storageOf } from "../support/tracks.ts";
import type { FaultyStack } from "./oauth/faulty-stack.ts";

/** Each finds the tracks that break it, of the users $1. */
const INVARIANTS: Record<string, string> = {
  "I1: a finished track's job is done, a failed one's failed, a processing one's neither": `
    select t.id from tracks t left join encoding_jobs j on j.track_id = t.id
    where t.user_id = any($1) and (j.track_id is null or t.state <> case j.state
      when 'done' then 'finished' when 'failed' then 'failed' else 'processing' end)`,
  "I2: a finished track has media and a length": `
    select id from tracks where user_id = any($1) and state = 'finished'
      and (media_prefix is null or media is null or duration_ms is null or duration_ms <= 0)`,
  "I5: what is failed says why, and what is done says nothing": `
    select track_id from encoding_jobs j join tracks t on t.id = j.track_id where t.user_id = any($1)
      and ((j.state = 'failed') <> (j.failure_reason is not null and j.finished_at is not null)) and j.state <> 'queued'`,
  "I5: no attempt beyond the fifth": `
    select track_id from encoding_jobs j join tracks t on t.id = j.track_id
    where t.user_id = any($1) and (j.attempt not between 0 and 5 or (j.state = 'queued' and j.attempt = 5))`,
  "I7: no lease outlives its heartbeats": `
    select track_id from encoding_jobs j join tracks t on t.id = j.track_id
    where t.user_id = any($1) and j.state = 'leased' and j.lease_until < now() - interval '20 s'`,
  "I8: nothing that is referenced is listed as garbage": `
    select t.id from tracks t join object_garbage g on g.prefix in (t.media_prefix, t.original_key)
    where t.user_id = any($1)`,
  "I4: a used upload names its track": `
    select u.id from uploads u left join tracks t on t.id = u.track_id
    where u.user_id = any($1) and u.status = 'used' and t.original_key is distinct from u.object_key`,
};

/** What is broken, by name; empty where all hold. Of the shared stack, unless told of another. */
export async function brokenInvariants(userIds: number[], faulty?: FaultyStack): Promise<string[]> {
  const query = (text: string) => (faulty ? faulty.auth.sql(text, [userIds]) : sql(text, [userIds]));
  const storage = faulty ? storageOf(faulty.stack) : s3;
  const broken: string[] = [];
  for (const [name, breakers] of Object.entries(INVARIANTS)) {
    const rows = await query(breakers);
    if (rows.length) broken.push(`${name}: ${JSON.stringify(rows)}`);
  }
  const finished = await query(
    "select media_prefix from tracks where user_id = any($1) and state = 'finished'",
  );
  for (const { media_prefix } of finished) {
    const { KeyCount } = await storage.send(
      new ListObjectsV2Command({ Bucket: MEDIA_BUCKET, Prefix: media_prefix }),
    );
    if (!KeyCount) broken.push(`I2: storage holds nothing of ${media_prefix}`);
  }
  return broken;
}
