import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { hashSecret, newSecret, randomBase62 } from "../../functions/lib/security/random.ts";
import type { Bench, Figure } from "./bench.ts";
import type { Sent } from "./loader.ts";
import { startPeer } from "./peer/start.ts";
import { createPerson } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { cpuFigure, race, type Side, send } from "./race.ts";
import { ownCpuS, treeCpuS } from "./readings.ts";
import { type BenchStack, withStack } from "./stack.ts";

const ROUNDS = 7;
const REQUESTS = 1_000;
const CONNECTIONS = 8;
/** A refresh waits 50 ms for duplicates. Many chains keep the machine busy meanwhile. */
const CHAINS = 32;
/** Below the limits of 50 tokens in twelve hours per app and 30 an hour per address. */
const PER_APP = 40;
const PER_ADDRESS = 25;

type Ours = "worker" | "proxy" | "postgres";
type Theirs = "node" | "postgres";

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const SECRET = newSecret("cs");
const CLIENT_IDS = Array.from({ length: Math.ceil(((ROUNDS + 1) * REQUESTS) / PER_APP) }, () =>
  randomBase62(32),
);

const basic = (clientId: string) => ({
  Authorization: `Basic ${Buffer.from(`${clientId}:${encodeURIComponent(SECRET)}`).toString("base64")}`,
});

const clientOf = (index: number) => CLIENT_IDS[index % CLIENT_IDS.length] ?? "";

function writeLines(bench: Bench, name: string, lines: Sent[]): string {
  const path = join(bench.scratch, name);
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  return path;
}

const ownTokenLines = (): Sent[] =>
  Array.from({ length: (ROUNDS + 1) * REQUESTS }, (_, index) => ({
    // The platform's header for the client's address. The peer ignores it.
    headers: { ...basic(clientOf(index)), "CF-Connecting-IP": addressOf(Math.floor(index / PER_ADDRESS)) },
    body: "grant_type=client_credentials",
  }));

const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

const refreshLines = (tokens: string[]): Sent[] =>
  tokens.map((refresh, index) => ({
    headers: basic(clientOf(index)),
    body: "grant_type=refresh_token&refresh_token=REFRESH",
    refresh,
  }));

/** Inserts the rows that consent in a browser would leave. */
async function ourSessions({ databaseUrl }: BenchStack): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const name = `b${randomBytes(6).toString("hex")}`;
  const tokens = Array.from({ length: CHAINS }, () => newSecret("rt"));
  try {
    const made = await client.query(
      "insert into users (username, permalink, plan) values ($1, $1, 'artist') returning id",
      [name],
    );
    const user = made.rows[0].id;
    await client.query(
      `insert into apps (client_id, secret_hash, owner_id, name, permalink, redirect_uris)
       select id, $2, $3, 'Bench', 'bench-' || lower(id), array['http://127.0.0.1/cb'] from unnest($1::text[]) id`,
      [CLIENT_IDS, hashSecret(SECRET), user],
    );
    for (const [index, token] of tokens.entries())
      await client.query(
        `with made as (insert into sessions (app_id, user_id, scope, expires_at)
           select id, $2, '', now() + interval '1 day' from apps where client_id = $1 returning id)
         insert into refresh_tokens (hash, session_id, expires_at) select $3, id, now() + interval '1 day' from made`,
        [clientOf(index), user, hashSecret(token)],
      );
    return tokens;
  } finally {
    await client.end();
  }
}

/** Each run takes the file's next lines, or continues the chains. */
function sender(
  bench: Bench,
  name: string,
  load: { port: number; path: string },
  lines: Sent[],
  chained: boolean,
): Side<never>["run"] {
  let [todo, round] = [lines, 0];
  return async (requests) => {
    const some = chained ? todo : todo.slice(0, requests);
    const results = await send({
      ...load,
      method: "POST",
      headers: FORM,
      requests,
      chained,
      connections: chained ? CHAINS : CONNECTIONS,
      lines: writeLines(bench, `${name}-${round++}.txt`, some),
    });
    todo = chained
      ? todo.map((line, index) => ({ ...line, refresh: results.refresh[index] ?? "" }))
      : todo.slice(requests);
    return results;
  };
}

interface Both {
  stack: BenchStack;
  plain: Awaited<ReturnType<typeof startPlainWorker>>;
  peer: Awaited<ReturnType<typeof startPeer>>;
  ourTokens: string[];
}

async function withBoth<Result>(bench: Bench, use: (both: Both) => Promise<Result>): Promise<Result> {
  return withStack(bench, async (stack) => {
    const ourTokens = await ourSessions(stack);
    const plain = await startPlainWorker(stack);
    const peer = await startPeer({
      databaseUrl: stack.databaseUrl,
      clientIds: CLIENT_IDS,
      clientSecret: SECRET,
      refreshTokens: CHAINS,
    });
    try {
      return await use({ stack, plain, peer, ourTokens });
    } finally {
      await peer.stop();
      await plain.stop();
    }
  });
}

const cpuOfBoth = ({ stack, plain, peer }: Both) => {
  const postgres = () => treeCpuS(stack.pids.postgres);
  return {
    ours: () => ({ worker: treeCpuS(plain.pid), proxy: ownCpuS(stack.pid), postgres: postgres() }),
    theirs: () => ({ node: ownCpuS(peer.pid), postgres: postgres() }),
  };
};

async function compare(
  bench: Bench,
  row: string,
  what: string,
  sides: { ours: Side<Ours>; theirs: Side<Theirs> },
): Promise<Figure[]> {
  const results = await race(bench, {
    row: `${row}, ${what}`,
    ...sides,
    rounds: ROUNDS,
    requests: REQUESTS,
    warmUp: REQUESTS,
  });
  const words = { row, over: "oidc-provider, pg adapter" };
  const note = `${REQUESTS} requests a round`;
  return [
    cpuFigure(results, ["worker", "proxy", "postgres"], ["node", "postgres"], {
      ...words,
      what: `${what}, all`,
      note,
      target: 1,
    }),
    cpuFigure(results, ["worker", "proxy"], ["node"], { ...words, what: `${what}, Worker and proxy` }),
    cpuFigure(results, ["worker"], ["node"], { ...words, what: `${what}, Worker alone` }),
    cpuFigure(results, ["postgres"], ["postgres"], { ...words, what: `${what}, Postgres` }),
  ];
}

/** Row `token`: issuing tokens, over the best-known server for Node on the same database. */
export const token = (bench: Bench): Promise<Figure[]> =>
  withBoth(bench, async (both) => {
    const cpu = cpuOfBoth(both);
    const ours = { port: both.plain.port, path: "/oauth/token" };
    const theirs = { port: both.peer.port, path: "/token" };
    const against = (name: string, forUs: Sent[], forThem: Sent[], chained: boolean) =>
      compare(bench, "token", name, {
        ours: { run: sender(bench, `ours-${name}`, ours, forUs, chained), cpu: cpu.ours },
        theirs: { run: sender(bench, `theirs-${name}`, theirs, forThem, chained), cpu: cpu.theirs },
      });
    return [
      ...(await against(
        "refresh",
        refreshLines(both.ourTokens),
        refreshLines(both.peer.refreshTokens),
        true,
      )),
      ...(await against("client_credentials", ownTokenLines(), ownTokenLines(), false)),
    ];
  });

/** Row `bearer`: a request that does little but present its token. */
export const bearer = (bench: Bench): Promise<Figure[]> =>
  withBoth(bench, async (both) => {
    const cpu = cpuOfBoth(both);
    const asking = (port: number, Authorization: string) => (requests: number) =>
      send({ port, path: "/me", headers: { Authorization }, requests, connections: CONNECTIONS });
    const ourToken = await (await createPerson(both.stack)).token();
    return compare(bench, "bearer", "GET /me", {
      ours: { run: asking(both.plain.port, `OAuth ${ourToken}`), cpu: cpu.ours },
      theirs: { run: asking(both.peer.port, `Bearer ${both.peer.accessToken}`), cpu: cpu.theirs },
    });
  });
