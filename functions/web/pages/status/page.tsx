import type { Context } from "hono";
import {
  type Incident,
  readStatusHistory,
  type StatusHistory,
} from "../../../../db/queries/status-history.ts";
import { PATIENCE_MS, type PartCondition, readCondition } from "../../../api/health/condition.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { unavailable } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { siteName } from "../../../ui/name.ts";
import { WhoMaySignUp } from "../../../ui/registration.tsx";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { History, Incidents, PART_NAMES, spell } from "./history.tsx";
import { statusFeed, statusObject } from "./machines.ts";

/** {web_url}: the service's condition, now and in the last months, for people and programs. Probes use `/readyz`. */
export const statusPage = new Routes({ renderError: showSiteError });

/**
 * Milliseconds that the result is cached, because everybody opens this page during a failure, which must not add load.
 */
const MEMORY_MS = 10_000;

/** Values, not promises, because the platform forbids awaiting another request's I/O. */
const memory = new WeakMap<Env, { until: number; parts: PartCondition[] }>();
const histories = new WeakMap<Env, { until: number; history: StatusHistory | undefined }>();

const CACHED = { "Cache-Control": "public, max-age=10" };

const WORDS = { works: "Works", late: "Late", fails: "Does not work" } as const;

statusPage.page("/status", async (c) => {
  const [parts, history] = await Promise.all([presentParts(c), recentHistory(c)]);
  const inState = (state: Incident["state"]) =>
    history?.incidents.filter((each) => each.state === state) ?? [];
  const present = [...inState("open"), ...inState("planned")];
  const title = titleOf(parts, inState("open")[0]);
  return showSite(
    c,
    {
      title: "Status",
      description: `What works at ${siteName(c.env)} at present, and what did in the last 90 days.`,
      styles: ["status.css"],
      head: <link rel="alternate" type="application/atom+xml" title="Incidents" href="/status.xml" />,
    },
    <div class="status">
      <section class="card status-page">
        <h1>{title}</h1>
        <ul>
          {parts.map((each) => (
            <li data-condition={each.condition}>
              <span>{PART_NAMES[each.part]}</span>
              <strong>{WORDS[each.condition]}</strong>
              {each.condition === "late" && <p>The oldest has waited for {spell(each.waitS)}.</p>}
            </li>
          ))}
        </ul>
        <p>
          <WhoMaySignUp env={c.env} />
        </p>
        <p class="hint">As of {new Date().toISOString().slice(11, 16)} UTC. Reload the page to look again.</p>
      </section>
      {present.length > 0 && <Incidents title="Announced" of={present} />}
      {history ? (
        <>
          <History of={history} />
          <Incidents title="Past incidents and maintenance" of={inState("over")} />
        </>
      ) : (
        <p>The last days cannot be read at present.</p>
      )}
      <p class="hint">
        The same for programs: <a href="/status.json">JSON</a>, and a <a href="/status.xml">feed</a> of
        incidents.
      </p>
    </div>,
  );
});

statusPage.page("/status.json", async (c) => {
  const [parts, history] = await Promise.all([presentParts(c), recentHistory(c)]);
  return c.json(statusObject(parts, history), 200, CACHED);
});

statusPage.page("/status.xml", async (c) => {
  const history = await recentHistory(c);
  const { incidents } = history ?? unavailable("The incidents cannot be read at present");
  return c.body(statusFeed(c.env, incidents), 200, {
    "Content-Type": "application/atom+xml; charset=utf-8",
    ...CACHED,
  });
});

async function presentParts({ env, var: { db } }: Context<AppEnv>): Promise<PartCondition[]> {
  const known = memory.get(env);
  if (known && known.until > Date.now()) return known.parts;
  const parts = await readCondition(db, env);
  memory.set(env, { until: Date.now() + MEMORY_MS, parts });
  return parts;
}

/** The last one that could be read, for while the database fails. */
async function recentHistory({ env, var: { db } }: Context<AppEnv>): Promise<StatusHistory | undefined> {
  const known = histories.get(env);
  if (known && known.until > Date.now()) return known.history;
  const history = (await inTime(readStatusHistory(db))) ?? known?.history;
  histories.set(env, { until: Date.now() + MEMORY_MS, history });
  return history;
}

const inTime = <Result,>(asked: Promise<Result>): Promise<Result | undefined> =>
  Promise.race([
    asked.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);

/** Operators may know of trouble that no measurement finds. */
function titleOf(parts: PartCondition[], open: Incident | undefined): string {
  const conditions = new Set(parts.map(({ condition }) => condition));
  if (conditions.has("fails")) return "Something does not work";
  if (conditions.has("late")) return "Something is late";
  return open?.title ?? "Everything works";
}
