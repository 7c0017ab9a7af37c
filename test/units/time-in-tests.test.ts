import { basename } from "node:path";
import { expect, test } from "vitest";
import { read, sourcePaths } from "../support/structure.ts";
import { clocksIn } from "../support/time-in-tests.ts";

/**
 * Files that wait or measure by the clock of the machine or try again, in how many places, and why. Everything else
 * waits for events with `expect.poll`, moves a clock of its own, or is a row of the bench.
 */
const BY_THE_CLOCK: Record<string, [places: number, reason: string]> = {
  // Nothing may happen meanwhile.
  "companion-form.test.ts": [1, "an early reply would come before the rest is sent"],
  "event-streams.test.ts": [1, "no further look waits for the table"],
  "faults-read.test.ts": [1, "no further connection is opened"],
  "growing.test.ts": [2, "no further question is asked; a listener comes two seconds after the upload"],
  "journeys.test.ts": [1, "Turbo fetches a link that the pointer is on after 100 ms"],
  "lock-file.test.ts": [1, "another machine's lock holds"],
  "load-ahead.test.ts": [1, "no further segment is loaded"],
  "object-store-room.test.ts": [1, "the store goes on after a backup that failed"],
  "replica.test.ts": [
    2,
    "a replica counts as behind once no commit has come for a while; a suspension holds within ten seconds",
  ],
  "typed-client-endings.test.ts": [1, "a stream outlasts the time for a reply"],
  "upload-many.test.ts": [1, "nothing is sent during a pause"],
  "upload-saves.test.ts": [1, "what the page says stays"],
  "upload.test.ts": [1, "what the page says stays"],
  "uploads-interruptions.test.ts": [
    3,
    "an abandoned request may still do something; its end is seen nowhere",
  ],
  "waiting-jobs.test.ts": [2, "a waiting job causes nothing"],

  // A limit in seconds is the subject.
  "accounts-side-effects.test.ts": [2, "statements that outlast the usual limit; a race within 4 ms"],
  "apps.test.ts": [1, "a statement that outlasts the usual limit"],
  "clock-skew.test.ts": [
    2,
    "the Worker's clock is trusted within ten seconds; a race within 50 ms is tried again",
  ],
  "deadline.test.ts": [2, "statements that outlast their deadline"],
  "leases.test.ts": [1, "the count of idle seconds stays at 0"],
  "moderation.test.ts": [1, "silence is three seconds without sound"],
  "storage-stalls.test.ts": [2, "a listener pauses, and a stream moves, for longer than storage may stall"],
  "takedown.test.ts": [3, "no request that is sent half a minute after a takedown is served"],
  "tracks-delete.test.ts": [1, "statements that outlast the usual limit"],
  "transports.test.ts": [3, "statements that outlast their limit, which takes at least its seconds"],
  "typed-client.test.ts": [1, "a retry waits for at least the second that it was asked to"],
  "usernames.test.ts": [1, "a statement that outlasts the usual limit"],

  // Slowness is the fault that the test causes, at moments of its schedule.
  "database-pause.ts": [1, "a database that stands still"],
  "fault-proxy.ts": [1, "a slow database"],
  "fault-schedule.test.ts": [2, "faults come at moments of their schedule"],
  "faulty-pool.support.ts": [3, "a process that stands still; a clock that runs faster"],
  "log.test.ts": [1, "a client that hangs up later each time"],
  "oauth-pauses.test.ts": [5, "the moments before, in and after a database's pause"],
  "rotation.test.ts": [1, "a race with up to 27 ms between the two"],
  "stalling-storage.ts": [1, "slow storage"],
  "transcoder-deploys.test.ts": [2, "a container that starts slowly"],
  "webhooks-delivery.test.ts": [1, "a receiver that replies late"],

  // Ends by the test's own hand.
  "http-client.test.ts": [1, "a job that ends during a request"],
  "neon-proxy-turns.test.ts": [
    7,
    "statements that would take a minute; clients that leave; a late cancellation",
  ],
  "neon-proxy.test.ts": [2, "statements that would take half a minute"],

  // Another file's work calls for a second try.
  "playlist-cache.test.ts": [1, "another file's sweep may change a version in between"],

  // Nothing fails for being slow.
  "backup.test.ts": [1, "prints how long a restore took"],
  "client-auth.test.ts": [1, "compares refusals in random order, on which load has no bearing"],
  "drill.test.ts": [2, "prints how long a start took; a second try would find the first one's server"],
  "password-cost.test.ts": [1, "a hash takes at least 50 ms"],
  "webhook-receiver.ts": [1, "a receiver's own check of a timestamp, by minutes"],
};

/** The checker, and the patience of all. */
const OWN = ["time-in-tests.ts", "time-in-tests.test.ts", "vitest.config.ts"];

/** The bench measures, and generators are programs of their own. */
const isTest = (path: string) =>
  /^test\/(?!bench\/|generators\/).*\.tsx?$/.test(path) && !OWN.includes(basename(path));

test("no test measures the machine, sleeps or tries again, except where the list says why", () => {
  const found: Record<string, string[]> = {};
  for (const path of sourcePaths().filter(isTest))
    found[basename(path)] = [...(found[basename(path)] ?? []), ...clocksIn(read(path))];
  const strangers = Object.entries(found).filter(
    ([name, clocks]) => clocks.length !== (BY_THE_CLOCK[name]?.[0] ?? 0),
  );
  expect(strangers).toEqual([]);
  expect(Object.keys(BY_THE_CLOCK).filter((name) => !found[name]?.length)).toEqual([]);
});

test.each([
  "await new Promise((wake) => setTimeout(wake, 51));",
  "await new Promise((wake) => setTimeout(() => wake(f(1, 2)), WAIT_MS));",
  'import { setTimeout as pass } from "node:timers/promises";\nawait pass(2_000);',
  'import { setTimeout } from "node:timers/promises";\nawait setTimeout(60 * 1000);',
  'import timers from "node:timers/promises";',
  'import { scheduler } from "node:timers/promises";\nawait scheduler.wait(100);',
  'await page.evaluate("new Promise((wake) => setTimeout(wake, 200))");',
  "await page.waitForTimeout(ms);",
  "await sql`select pg_sleep(0.1)`;",
  "const pause = promisify(setTimeout);",
  'vi.useFakeTimers();\nimport { setTimeout as sleep } from "node:timers/promises";\nawait sleep(300);',
  "setTimeout(stored.resolve, isQuick ? 5 : 500);",
])("the checker finds the sleep in %j", (source) => {
  expect(clocksIn(source)).toHaveLength(1);
});

test.each([
  "const took = await cpuOf(work);\nconst before = process.cpuUsage();",
  "expect(performance.now() - startedAt).toBeLessThan(1_000);",
  "const startedAt = Date.now();\nawait work();\nexpect(Date.now() - startedAt).toBe(quick);",
  "let endedAt = 0;\nendedAt = Date.now();\nconst tookMs = seenAt - endedAt;",
  "expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60);",
])("the checker finds the stopwatch in %j", (source) => {
  expect(clocksIn(source)).toHaveLength(1);
});

test.each([
  "await expect.poll(come, { timeout: 5_000 }).toBe(true);",
  "await vi.waitFor(() => expect(end).toBeDefined());",
  "await fetch(url, { signal: AbortSignal.timeout(10_000) });",
  'test("a race", { retry: 3 }, async () => {});',
])("the checker finds the impatience in %j", (source) => {
  expect(clocksIn(source)).toHaveLength(1);
});

test.each([
  "for (;;) await new Promise((wake) => setTimeout(wake, 50));",
  "setTimeout(() => request.onsuccess());",
  "socket.setTimeout(10_000, () => socket.destroy());",
  'import { setTimeout as sleep } from "node:timers/promises";\n// sleep(300) is too long\nawait sleep(20);',
  "vi.useFakeTimers();\nsetTimeout(stop, 4_000);\nexpect(performance.now()).toBeLessThan(1);",
  "await vi.waitFor(isReady, { timeout: 60_000 });",
  "const past = new Date(Date.now() - 61_000);",
  "const now = Date.now();\nconst later = now + 60_000;",
  'import { setImmediate as turn } from "node:timers/promises";\nawait turn();',
])("the checker accepts %j", (source) => {
  expect(clocksIn(source)).toEqual([]);
});
