import type { Context } from "hono";
import { type PartCondition, readCondition } from "../../../api/health/condition.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { Routes } from "../../../lib/http/route.ts";
import { siteName } from "../../../ui/name.ts";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";

/** {web_url}: the service's current condition, for people. Machines use `/readyz`. */
export const statusPage = new Routes({ renderError: showSiteError });

/**
 * Milliseconds that the result is cached, because everybody opens this page during a failure, which must not add load.
 */
const MEMORY_MS = 10_000;

/** Values, not promises, because the platform forbids awaiting another request's I/O. */
const memory = new WeakMap<Env, { until: number; parts: PartCondition[] }>();

const NAMES: Record<PartCondition["part"], string> = {
  database: "Site, API and sign-in",
  storage: "Listening and uploading",
  encoding: "Encoding of new tracks",
  webhooks: "Webhooks",
  posts: "Posts to connected services",
  mails: "Mails",
};

const WORDS = { works: "Works", late: "Late", fails: "Does not work" } as const;

statusPage.page("/status", async (c) => {
  const parts = await presentParts(c);
  const title = titleOf(parts);
  return showSite(
    c,
    {
      title: "Status",
      description: `What works at ${siteName(c.env)} at present.`,
      styles: ["status.css"],
    },
    <section class="card status-page">
      <h1>{title}</h1>
      <ul>
        {parts.map((each) => (
          <li data-condition={each.condition}>
            <span>{NAMES[each.part]}</span>
            <strong>{WORDS[each.condition]}</strong>
            {each.condition === "late" && <p>The oldest has waited for {spell(each.waitS)}.</p>}
          </li>
        ))}
      </ul>
      <p class="hint">As of {new Date().toISOString().slice(11, 16)} UTC. Reload the page to look again.</p>
    </section>,
  );
});

async function presentParts({ env, var: { db } }: Context<AppEnv>): Promise<PartCondition[]> {
  const known = memory.get(env);
  if (known && known.until > Date.now()) return known.parts;
  const parts = await readCondition(db, env);
  memory.set(env, { until: Date.now() + MEMORY_MS, parts });
  return parts;
}

function titleOf(parts: PartCondition[]): string {
  const conditions = new Set(parts.map(({ condition }) => condition));
  if (conditions.has("fails")) return "Something does not work";
  return conditions.has("late") ? "Something is late" : "Everything works";
}

function spell(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
