import { expect } from "vitest";
import { issueTicket } from "../../workers/encoding/ticket.ts";
import { runCron, sql, stack } from "../support/stack.ts";
import { STORED_MEDIA, type StoredTrack } from "../support/tracks.ts";

export const keys = { SIGNING_KEYS: stack.secrets.SIGNING_KEYS };

export const reconcile = () => runCron("* * * * *");

interface JobRow {
  state: string;
  job: string;
  attempt: number;
  generation: number;
  reason: string | null;
  progress: number;
  segments: number;
  /** Seconds from now. `null` without a lease. */
  lease: number | null;
  /** Seconds since 1970, like `databaseTime`. */
  dueAt: number;
}

/** Bounds an event when called before and after, however long it took. */
export async function databaseTime(): Promise<number> {
  const [row] = await sql<{ now: number }>("select extract(epoch from clock_timestamp())::float8 as now");
  return row?.now ?? Number.NaN;
}

export const jobOf = async (id: number): Promise<JobRow | undefined> => {
  const [row] = await sql<JobRow>(
    `select t.state, j.state as job, attempt, generation, failure_reason as reason, progress, segments_ready as segments,
       extract(epoch from lease_until - now())::float8 as lease,
       case when isfinite(next_run_at) then extract(epoch from next_run_at)::float8 else 1e12 end as "dueAt"
     from tracks t join encoding_jobs j on j.track_id = t.id where t.id = $1`,
    [id],
  );
  return row;
};

/** Keeps the job from the transcoder, because the stack's own cron runs all the time. */
export const park = (id: number) =>
  sql("update encoding_jobs set next_run_at = 'infinity' where track_id = $1", [id]);

/** Reconciles until an expired lease is ended. One reconciliation does nothing while another runs. */
export const endExpired = (track: StoredTrack) =>
  expect
    .poll(async () => {
      await reconcile();
      return (await jobOf(track.id))?.job;
    })
    .not.toBe("leased");

export const leaseOf = (track: StoredTrack) => track.prefix.split("/")[2] ?? "";

/** Simulates a transcoder that took the job. Returns the attempt's ticket. */
export async function holdLease(
  track: StoredTrack,
  { attempt = 1, lease = leaseOf(track), seconds = 3_600 } = {},
): Promise<string> {
  await sql(
    `update encoding_jobs set state = 'leased', attempt = $2, lease_token = $3, started_at = now(),
       lease_until = now() + make_interval(secs => $4) where track_id = $1`,
    [track.id, attempt, lease, seconds],
  );
  return issueTicket(keys, { track: track.id, attempt, lease, transcoder: "pool-0" });
}

export const gateway = (track: number, path: string, ticket: string | undefined, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${stack.ports.gateway}/jobs/${track}/${path}`, {
    ...init,
    headers: { ...(ticket !== undefined && { Authorization: `Bearer ${ticket}` }), ...init.headers },
  });

export const report = async (track: number, ticket: string, kind: string, body: unknown) => {
  const reply = await gateway(track, `report/${kind}`, ticket, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  await reply.arrayBuffer();
  return reply.status;
};

export const FINISHED = {
  family: "wav",
  duration_ms: 10_000,
  loudness: { integrated_lufs: -14, range_lu: 3, true_peak_dbtp: -1 },
  ...STORED_MEDIA,
};

export const BEAT = { progress: 0.5, segments_ready: 2, sample_rate: 44_100 };

export const LOST = { reason: "stalled", retryable: true, detail: "/tmp/secret/path" };

export const reportAll = async (track: number, ticket: string) => [
  await report(track, ticket, "heartbeat", BEAT),
  await report(track, ticket, "finished", FINISHED),
];
