import { beforeAll, expect, test } from "vitest";
import { holdLease, park } from "../../encoding/leases.support.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;
let ana: Person;

beforeAll(async () => {
  ana = await createUser();
  ({ browser } = await operatorAt(service));
});

const shown = ({ id }: StoredTrack) => operate("track show", "--track", String(id));
const page = async ({ id }: StoredTrack) => (await browser.get("web", `/admin/tracks/${id}`)).html;

test("a waiting encode has its place in the queue, behind those whose turn comes before", async () => {
  const [first, second] = [await createTrack(ana), await createTrack(ana)];
  for (const { id } of [first, second]) await park(id);
  await sql("update encoding_jobs set turn = '2001-01-01', state = 'queued' where track_id = $1", [first.id]);
  await sql("update encoding_jobs set turn = '2001-01-02', state = 'queued' where track_id = $1", [
    second.id,
  ]);
  expect(await shown(first)).toMatchObject({ encode_state: "queued", queue_place: 1, due_at: null });
  expect(await shown(second)).toMatchObject({ encode_state: "queued", queue_place: 2 });
  expect(await page(second)).toContain("number 2 in the queue, held, attempt 0");
});

test("a running encode names its transcoder, the attempt and the last report", async () => {
  const track = await createTrack(ana);
  await holdLease(track, { attempt: 2, seconds: 60 });
  await sql(
    "update encoding_jobs set transcoder = 'pool-77', progress = 0.5, lease_until = '2999-01-01 00:01:00+00' where track_id = $1",
    [track.id],
  );
  const { reported_at, ...running } = await shown(track);
  expect(running).toMatchObject({ encode_state: "leased", encode_attempts: 2, transcoder: "pool-77" });
  // A report holds the lease for a minute.
  expect(new Date(String(reported_at)).toISOString()).toBe("2999-01-01T00:00:00.000Z");
  const html = await page(track);
  expect(html).toContain("running, 50 %, attempt 2");
  expect(html).toMatch(/pool-77, reported this job 2999-/);
  expect(running.queue_place).toBeNull();
});

test("a failed encode says what failed", async () => {
  const track = await createTrack(ana);
  await park(track.id);
  await sql(
    `update encoding_jobs set state = 'failed', attempt = 5, failure_reason = 'stalled', failure_detail = '<b>no frame</b>'
     where track_id = $1`,
    [track.id],
  );
  expect(await shown(track)).toMatchObject({ encode_state: "failed", failure: "stalled", queue_place: null });
  const html = await page(track);
  expect(html).toContain("Encoding stalled. stalled, &lt;b&gt;no frame&lt;/b&gt;");
  expect((await browser.get("web", `/admin/tracks/${track.id}`)).queries).toBe(1);
});
