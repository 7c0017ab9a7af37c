import { createHash, timingSafeEqual } from "node:crypto";
import type { ServiceState } from "../../../db/queries/service-state.ts";
import { formBytesNow } from "../../lib/http/body/form-memory.ts";
import { BUCKETS_S, eventsNow, talliesNow } from "../../lib/http/tally.ts";

export const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Whether the header holds the token for reading metrics. */
export function mayReadMetrics(authorization: string | undefined, token: string): boolean {
  const [, presented = ""] = /^Bearer (\S+)$/i.exec(authorization ?? "") ?? [];
  return timingSafeEqual(digest(presented), digest(token));
}

type Labels = Record<string, string | number>;
type Sample = [suffix: string, value: number, labels?: Labels];

const escaped = (text: string) => text.replace(/[\\"\n]/g, (each) => (each === "\n" ? "\\n" : `\\${each}`));

function family(name: string, type: string, help: string, samples: Sample[]): string[] {
  const lines = samples.map(([suffix, value, labels = {}]) => {
    const all = Object.entries(labels).map(([label, text]) => `${label}="${escaped(String(text))}"`);
    return `${name}${suffix}${all.length ? `{${all.join()}}` : ""} ${value}`;
  });
  return [`# TYPE ${name} ${type}`, `# HELP ${name} ${help}`, ...lines];
}

const gauge = (name: string, help: string, samples: Sample[]) => family(name, "gauge", help, samples);

/** Each isolate has its own counters. The name tells scrapers that another isolate replied. */
const isolate = Math.random().toString(36).slice(2, 10);

function requestFamilies(): string[] {
  const tallies = talliesNow();
  const of = ({ method, route, status }: (typeof tallies)[number]) => ({ isolate, method, route, status });
  const histogram = tallies.flatMap((tally): Sample[] => {
    let sum = 0;
    const upTo = tally.buckets.map((count) => {
      sum += count;
      return sum;
    });
    return [
      ...upTo.map((count, at): Sample => ["_bucket", count, { ...of(tally), le: BUCKETS_S[at] ?? "+Inf" }]),
      ["_count", sum, of(tally)],
      ["_sum", round(tally.seconds), of(tally)],
    ];
  });
  return [
    ...family(
      "soundpost_request_seconds",
      "histogram",
      "Requests that this isolate answered, by route and status.",
      histogram,
    ),
    ...family(
      "soundpost_sql_seconds",
      "counter",
      "Time spent waiting for the database.",
      tallies.map((tally) => ["_total", round(tally.sqlSeconds), of(tally)]),
    ),
    ...family(
      "soundpost_sql_statements",
      "counter",
      "Round trips to the database.",
      tallies.map((tally) => ["_total", tally.statements, of(tally)]),
    ),
    ...family(
      "soundpost_events",
      "counter",
      "Events that operators watch, such as a refresh token that was used again.",
      eventsNow().map(([event, count]) => ["_total", count, { isolate, event }]),
    ),
    ...gauge("soundpost_form_bytes", "Bytes of forms that this isolate holds.", [
      ["", formBytesNow(), { isolate }],
    ]),
  ];
}

const round = (value: number) => Math.round(value * 1e6) / 1e6;

/** Pending work in the database, for all isolates together. */
function stateFamilies(state: ServiceState): string[] {
  const queues = {
    jobs: [state.jobs_waiting, state.job_waits_s],
    webhooks: [state.deliveries_due, state.delivery_waits_s],
    connection_posts: [state.posts_due, state.post_waits_s],
    mails: [state.mails_due, state.mail_waits_s],
    publications: [state.publications_due, state.publication_waits_s],
    garbage: [state.garbage_due, state.garbage_waits_s],
  } as const;
  const ofEach = (at: 0 | 1) =>
    Object.entries(queues).map(([queue, facts]): Sample => ["", round(facts[at]), { queue }]);
  return [
    ...gauge("soundpost_queue_due", "Work that waits and could be done now.", ofEach(0)),
    ...gauge("soundpost_queue_age_seconds", "How long the oldest of that work has waited.", ofEach(1)),
    ...gauge("soundpost_jobs_running", "Encodes under way.", [["", state.jobs_running]]),
    ...gauge("soundpost_jobs_lost", "Encodes whose transcoder fell silent.", [["", state.jobs_lost]]),
    ...gauge("soundpost_job_oldest_seconds", "Time since the oldest encode under way began.", [
      ["", round(state.job_runs_s)],
    ]),
    ...gauge("soundpost_mails_failed", "Mails that were given up.", [["", state.mails_failed]]),
    ...gauge("soundpost_podcast_imports_running", "Running imports of podcasts.", [
      ["", state.imports_running],
    ]),
    ...gauge(
      "soundpost_podcast_imports_idle",
      "Running imports of podcasts of which nothing is being fetched.",
      [["", state.imports_idle]],
    ),
    ...gauge("soundpost_dead_letters", "Messages that no consumer could process.", [
      ["", state.dead_letters],
    ]),
    ...gauge("soundpost_reports_open", "Reports by listeners that wait for an operator.", [
      ["", state.reports_open],
    ]),
    ...gauge("soundpost_transcoders", "Transcoders seen within five minutes.", [["", state.transcoders]]),
    ...gauge("soundpost_uploads_open", "Uploads that are not tracks yet.", [["", state.uploads_open]]),
    ...gauge(
      "soundpost_stored_bytes",
      "Size of what is in storage, as of the last sweep; `deleted` waits for its deletion.",
      Object.entries(state.stored).map(([kind, { bytes }]): Sample => ["", bytes, { kind }]),
    ),
    ...gauge("soundpost_database_bytes", "Size of the database.", [["", state.database_bytes]]),
  ];
}

/** Without `state` the database did not respond. The counts of requests are rendered anyway. */
export const renderMetrics = (state: ServiceState | undefined): string =>
  [
    ...gauge("soundpost_database_up", "Whether the database answered.", [["", state ? 1 : 0]]),
    ...(state ? stateFamilies(state) : []),
    ...requestFamilies(),
    "# EOF\n",
  ].join("\n");
