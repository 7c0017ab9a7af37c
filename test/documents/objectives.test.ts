import { expect, test } from "vitest";
import { sql } from "../support/stack.ts";
import { read } from "../support/structure.ts";

/** The queries of the operators' document. */
const queries = [...read("workers/objectives.md").matchAll(/```sql\n(.*?)```/gs)].map(
  ([, query = ""]) => query,
);

const asked = (about: RegExp, lines: object[]) => {
  const query = queries.find((each) => about.test(each)) ?? expect.fail(`No query is about ${about}`);
  return sql(`with log as (select line from unnest($1::jsonb[]) line) ${query}`, [
    lines.map((line) => JSON.stringify(line)),
  ]);
};

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

const request = (fields: object, ago = 60) => ({
  ts: secondsAgo(ago),
  event: "request",
  method: "GET",
  route: "/tracks/:id",
  status: 200,
  ms: 10,
  ...fields,
});

const LONG_AGO_S = 29 * 24 * 3600;

test("the share of answered requests weighs media by what their lines stand for, and ends after 28 days", async () => {
  const lines = [
    request({ one_of: 100 }),
    ...Array.from({ length: 98 }, () => request({})),
    request({ status: 404 }),
    request({ status: 503 }),
    request({ status: 500 }, LONG_AGO_S),
    { ts: secondsAgo(1), event: "mail_failed", status: 500 },
  ];
  expect(await asked(/AS answered/, lines)).toEqual([{ answered: "0.99500000000000000000" }]);
});

test("the share of fast reads leaves writes out", async () => {
  const lines = [request({ ms: 249 }), request({ ms: 250 }), request({ ms: 9_000, method: "POST" })];
  const [{ fast }] = (await asked(/AS fast/, lines)) as [{ fast: string }];
  expect(Number(fast)).toBe(0.5);
});

test("failures are counted by route and error, and replays by app", async () => {
  const failed = request({ status: 500, error: "TypeError" });
  expect(
    await asked(/AS failures/, [failed, failed, request({ status: 503, error: "HttpError" }), request({})]),
  ).toEqual([
    { route: "/tracks/:id", error: "TypeError", failures: "2" },
    { route: "/tracks/:id", error: "HttpError", failures: "1" },
  ]);
  const replayed = { ts: secondsAgo(5), event: "token_replayed", app: "a" };
  expect(await asked(/AS replays/, [replayed, { ...replayed, ts: secondsAgo(4_000) }])).toEqual([
    { app: "a", replays: "1" },
  ]);
});
