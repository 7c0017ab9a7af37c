import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LATE_S } from "../../functions/api/health/condition.ts";
import { createTrack, expectUnanswered, expectUnavailable, sender } from "../lib/http/requests.support.ts";
import { CALLBACK } from "../support/oauth.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { type FaultyStack, startFaultyStack } from "./faulty-stack.ts";

let faulty: FaultyStack;
let send: ReturnType<typeof sender>;
let token: string;

const NAME = "Was it made?";
const METRICS_TOKEN = "scraper";

beforeAll(async () => {
  faulty = await startFaultyStack({ METRICS_TOKEN }, 0);
  send = sender(faulty);
  faulty.database.meet(NAME);
  token = (await faulty.auth.signedIn()).tokens.access_token;
});

afterEach(() => faulty.database.up());
afterAll(() => faulty.stop());

test("503: the service is temporarily unavailable and says when to retry", async () => {
  await faulty.database.down();
  expectUnavailable(await send("GET", "/me", token));
});

test("504: the outcome is unknown, and the resource's state tells", async () => {
  faulty.database.loseReplies(1);
  const app = { name: NAME, redirect_uris: [CALLBACK] };
  expectUnanswered(await send("POST", "/me/apps", token, app));
  expect((await send("GET", "/me/apps", token)).text).toContain(app.name);
});

describe("what operators and people see", () => {
  const scrape = async (authorization?: string) => {
    const reply = await fetch(`${faulty.stack.urls.api}/metrics`, {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });
    return { status: reply.status, type: reply.headers.get("Content-Type"), text: await reply.text() };
  };
  const metrics = async () => (await scrape(`Bearer ${METRICS_TOKEN}`)).text;
  const sampleOf = (text: string, sample: string) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${sample} `))
        ?.slice(sample.length + 1),
    );
  const countOf = (text: string, labels: string) =>
    Number(
      new RegExp(`^soundpost_request_seconds_count\\{isolate="\\w+",${labels}\\} (\\d+)$`, "m").exec(
        text,
      )?.[1] ?? 0,
    );
  const alerts = readFileSync(join(PROJECT_DIR, "workers/alerts.yml"), "utf8");

  test("metrics open to their token alone", async () => {
    for (const wrong of [undefined, "Bearer x", `OAuth ${token}`, `Basic ${METRICS_TOKEN}`, "Bearer "])
      expect((await scrape(wrong)).status, wrong).toBe(401);
    const { status, type } = await scrape(`Bearer ${METRICS_TOKEN}`);
    expect(status).toBe(200);
    expect(type).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8");
  });

  test("metrics are OpenMetrics, each family once and typed, ended once", async () => {
    const lines = (await metrics()).split("\n");
    expect(lines.slice(-2)).toEqual(["# EOF", ""]);
    const types = lines.filter((line) => line.startsWith("# TYPE ")).map((line) => line.split(" ")[2] ?? "");
    expect(new Set(types).size).toBe(types.length);
    for (const line of lines.slice(0, -2).filter((each) => !each.startsWith("#"))) {
      expect(line).toMatch(/^[a-z_]+(?:\{(?:[a-z]+="[^"]*",?)+\})? [\d.e+-]+$/);
      const name = /^[a-z_]+/.exec(line)?.[0] ?? "";
      expect(types).toContain(name.replace(/_(?:total|count|sum|bucket)$/, ""));
    }
  });

  test("requests are counted by route and status, without ids or callers' words", async () => {
    const labels = (status: number) => `method="GET",route="/tracks/:id",status="${status}"`;
    const before = await metrics();
    await send("GET", "/tracks/123456789", token);
    await send("GET", "/canary-in-a-path/canary/canary", token);
    await send("GET", "/somebody-unknown/edit", token);
    const after = await metrics();
    expect(countOf(after, labels(404)) - countOf(before, labels(404))).toBe(1);
    expect(after).not.toMatch(/canary|123456789|somebody|\{\(/);
    for (const line of after.split("\n")) expect(line.length).toBeLessThan(250);
  });

  test("metrics tell how long the oldest job waits, and the page of the status calls it late", async () => {
    const text = async () => (await send("GET", "/status")).text;
    expect(await text()).toContain("<h1>Everything works</h1>");
    await createTrack(faulty.auth);
    await faulty.auth.sql(
      "update encoding_jobs set created_at = now() - interval '1 hour', next_run_at = now() - interval '1 hour'",
    );
    const state = await metrics();
    expect(sampleOf(state, 'soundpost_queue_due{queue="jobs"}')).toBe(1);
    expect(sampleOf(state, 'soundpost_queue_age_seconds{queue="jobs"}')).toBeGreaterThanOrEqual(3600);
    await expect.poll(text).toContain("The oldest has waited for 60 minutes.");
  });

  test("metrics tell this machine's memory and disk", async () => {
    const text = await metrics();
    for (const name of ["stack", "worker", "postgres"])
      expect(
        sampleOf(text, `soundpost_process_resident_memory_bytes{process="${name}"}`),
        name,
      ).toBeGreaterThan(1e6);
    expect(sampleOf(text, "soundpost_disk_free_bytes")).toBeGreaterThan(0);
  });

  test("both tell it while the database is away", async () => {
    await faulty.database.down();
    expect(await metrics()).toMatch(/^soundpost_database_up 0$/m);
    await expect
      .poll(async () => (await send("GET", "/status")).text)
      .toMatch(/Something does not work.*Site, API and sign-in<\/span><strong>Does not work/s);
  });

  test("alerts name only metrics that exist, and the bounds of the status page", async () => {
    const known = new Set([...(await metrics()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const named = [...alerts.matchAll(/soundpost_[a-z_]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(known).toContain(name.replace(/_(?:total|count|bucket)$/, ""));
    const boundOf = (queue: string) =>
      Number(new RegExp(`\\{queue="${queue}"\\} > (\\d+)`).exec(alerts)?.[1]);
    expect({
      encoding: boundOf("jobs"),
      webhooks: boundOf("webhooks"),
      posts: boundOf("connection_posts"),
      mails: boundOf("mails"),
    }).toEqual(LATE_S);
  });
});
