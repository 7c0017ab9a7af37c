import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { chromium } from "playwright-core";
import type { Me } from "../../functions/api/users/representation-me.ts";
import { cookieName, newSiteSession } from "../../functions/ui/cookies.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { createPng } from "../support/images.ts";
import type { Bench, Figure } from "./bench.ts";
import { chromiumPath } from "./chromium.ts";
import { withDatabase } from "./list-sides.ts";
import { createPerson } from "./people.ts";
import { flac } from "./sources.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const FOLDER = join(import.meta.dirname, "lighthouse");

/** The best of them counts: what else the machine does only makes marks worse. */
const ROUNDS = 5;
const TRACKS = 8;
const TARGET = 98;
/** Milliseconds. */
const LCP_MS = 1_500;

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;

interface Report {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    { title: string; score: number | null; displayValue?: string; numericValue?: number; details?: Details }
  >;
}

interface Details {
  /** Not a list in every audit. */
  items?: { url?: string; node?: { snippet: string } }[] | object;
}

/** Row `lighthouse`: the marks of seven pages, and how soon pages of the docs show, on Lighthouse's phone. */
export async function lighthouse(bench: Bench): Promise<Figure[]> {
  if (!existsSync(join(FOLDER, "node_modules/lighthouse")))
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: FOLDER });
  return await withStack(bench, async (stack) => {
    const { paths, cookie } = await fill(bench, stack);
    const { port, context } = await openBrowser(bench);
    const figures: Figure[] = [];
    try {
      for (const [page, path] of Object.entries(paths)) {
        if (page === "upload") await context.addCookies([cookie]);
        const reports: Report[] = [];
        while (reports.length < (bench.quick ? 1 : ROUNDS))
          reports.push(await look(stack.urls.api + path, port));
        for (const category of CATEGORIES) figures.push(figureOf(page, category, reports));
        if (path.startsWith("/docs")) figures.push(shownAfter(page, reports));
        for (const fault of faultsOf(reports)) bench.say(`${page}: ${fault}`);
      }
      return figures;
    } finally {
      await context.close();
    }
  });
}

/** Publishes tracks with pictures and comments. Returns the pages, and the cookie of one who may upload. */
async function fill(bench: Bench, stack: BenchStack) {
  const person = await createPerson(stack);
  const source = await flac(bench, 20);
  const Authorization = `OAuth ${await person.token()}`;
  for (let made = 0; made < TRACKS; made++) {
    const { id } = await publish(person, source);
    const form = new FormData();
    form.set("track[artwork_data]", new Blob([await createPng(1400, 1400)]), "cover.png");
    form.set("track[description]", "Recorded by the harbour on one evening.");
    await fetch(`${stack.urls.api}/tracks/${id}`, { method: "PUT", body: form, headers: { Authorization } });
    const comment = { comment: { body: "What a harbour", timestamp: 1000 * made } };
    await person.call("POST", `/tracks/${id}/comments`, comment);
  }
  const { id, username, permalink_url } = await person.call<Me>("GET", "/me");
  const [track] = await person.call<{ permalink_url: string }[]>("GET", "/me/tracks");
  const { cookie, hash } = newSiteSession();
  await withDatabase(stack, (client) =>
    client.query(
      "insert into site_sessions (hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')",
      [hash, id],
    ),
  );
  return {
    cookie: { name: cookieName(stack.urls.api, "sid"), value: cookie, url: stack.urls.api },
    paths: {
      track: new URL(track?.permalink_url ?? "").pathname,
      profile: new URL(permalink_url).pathname,
      search: `/search?q=${username}`,
      docs: "/docs",
      "quick start": "/docs/quick-start",
      reference: "/docs/reference/tracks",
      upload: "/upload",
    },
  };
}

/** A browser on a port that Lighthouse can join. */
async function openBrowser({ scratch }: Bench) {
  const port = await freePorts(1);
  const context = await chromium.launchPersistentContext(join(scratch, "lighthouse"), {
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`],
  });
  return { port, context };
}

async function look(url: string, port: number): Promise<Report> {
  const options = ["--output=json", "--quiet", `--only-categories=${CATEGORIES}`, `--port=${port}`];
  const program = join(FOLDER, "node_modules/lighthouse/cli/index.js");
  const child = spawn(process.execPath, [program, url, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const [report] = await Promise.all([json(child.stdout), once(child, "exit")]);
  return report as Report;
}

const marks = (category: string, reports: Report[]) =>
  reports.map(({ categories }) => Math.round(100 * (categories[category]?.score ?? 0)));

function figureOf(page: string, category: string, reports: Report[]): Figure {
  const best = Math.max(...marks(category, reports));
  return {
    row: "lighthouse",
    what: `${page}, ${category}, best`,
    over: `${TARGET} of 100`,
    unit: "points",
    ours: best,
    floor: TARGET,
    ratio: TARGET / Math.max(best, 1),
    target: 1,
    note: marks(category, reports).join(", "),
  };
}

/** Largest contentful paint, which the documentation's readers wait for. */
function shownAfter(page: string, reports: Report[]): Figure {
  const times = reports.map(({ audits }) => audits["largest-contentful-paint"]?.numericValue ?? Number.NaN);
  const ours = Math.min(...times);
  return {
    row: "lighthouse",
    what: `${page}, largest contentful paint, best`,
    unit: "ms",
    over: `${LCP_MS} ms`,
    ours,
    floor: LCP_MS,
    ratio: ours / LCP_MS,
    target: 1,
    note: times.map(Math.round).join(", "),
  };
}

/** Audits that count and were perfect in no round. */
function faultsOf([first, ...others]: Report[]): string[] {
  if (!first) return [];
  const refs = Object.values(first.categories).flatMap(({ auditRefs }) => auditRefs);
  const scoreIn = ({ audits }: Report, id: string) => audits[id]?.score ?? 1;
  return refs
    .filter(({ id }) => [first, ...others].every((report) => scoreIn(report, id) < 1))
    .map(({ id, weight }) => {
      const { title = "", displayValue = "", details } = first.audits[id] ?? {};
      const items = Array.isArray(details?.items) ? details.items : [];
      const where = items.map(({ url, node }) => node?.snippet ?? url ?? "");
      return [`${id} (${weight}): ${title} ${displayValue}`, ...where.slice(0, 5)].join("\n    ");
    });
}
