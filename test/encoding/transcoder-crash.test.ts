import { afterAll, beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { type FaultyStack, startFaultyStack } from "../faults/faulty-stack.ts";
import { shortWav } from "../support/tracks.ts";

/** A separate stack, because the shared transcoder serves other tests. */
let faulty: FaultyStack;

beforeAll(async () => {
  faulty = await startFaultyStack();
});

afterAll(() => faulty?.stop());

const reconcile = () => faulty.stack.worker.scheduled({ cron: "* * * * *" });

async function jobOf(track: number) {
  const [row] = await faulty.auth.sql(
    `select t.state, j.state as job, attempt, failure_reason as reason
     from tracks t join encoding_jobs j on j.track_id = t.id where t.id = $1`,
    [track],
  );
  return row;
}

/** Number of running encodes. */
async function encodes(): Promise<number> {
  const { ports, secrets } = faulty.stack;
  const headers = { Authorization: `Bearer ${secrets.TRANSCODER_SECRET}` };
  const reply = await fetch(`http://127.0.0.1:${ports.transcoder}/healthz`, { headers });
  return ((await reply.json()) as { jobs: number }).jobs;
}

test("a transcoder killed during an encode costs only that attempt (F37)", async () => {
  const { tokens } = await faulty.auth.signedIn();
  const headers = { Authorization: `OAuth ${tokens.access_token}` };
  const form = new FormData();
  const file = shortWav(30);
  form.set("track[title]", "A song");
  form.set("track[asset_data]", file, "song.wav");
  const made = await fetch(`${faulty.stack.urls.api}/tracks`, { method: "POST", body: form, headers });
  const { id, uri } = (await made.json()) as Track;
  faulty.ledger.accepted.add(id);
  faulty.ledger.originals.set(id, file);
  await expect.poll(encodes, { interval: 10 }).toBe(1);
  const { transcoder = 0 } = faulty.stack.pids();
  process.kill(transcoder, "SIGKILL");
  await expect.poll(() => faulty.stack.pids().transcoder ?? transcoder).not.toBe(transcoder);
  // The lease would last for a minute.
  await reconcile();
  expect(await jobOf(id)).toMatchObject({ state: "processing", job: "queued", attempt: 1, reason: "lost" });
  await faulty.auth.sql("update encoding_jobs set next_run_at = now() where track_id = $1", [id]);
  await reconcile();
  await expect.poll(() => jobOf(id), { timeout: 90_000 }).toMatchObject({ state: "finished", attempt: 2 });
  const finishedTrack = (await (await fetch(uri, { headers })).json()) as Track;
  expect(finishedTrack).toMatchObject({ duration: 30_000, encoding: { attempts: 2, reason: null } });
});
