import { expect, test } from "vitest";
import {
  commentFault,
  commentsIn,
  hasPrivateFileName,
  privateNamesIn,
  privateSqlNamesIn,
} from "../support/prose.ts";
import { read, sourcePaths, sqlPaths } from "../support/structure.ts";

const SELF = "test/units/prose.test.ts";

/** Folders whose prose follows the house style. */
const FOLDERS = ["db/", "functions/", "workers/", "test/"];

/** Ids in brackets, singly, in lists and as ranges such as X1–X4. */
const CASE_IDS = /\(((?:API|[XOFI])\d+(?:(?:, |–)(?:API|[XOFI])\d+)*)\)/g;

function expandIds(ids: string): string[] {
  return ids.split(", ").flatMap((part) => {
    const [from = "", to = from] = part.split("–");
    const [first, last] = [from, to].map((id) => Number(id.replace(/\D+/, "")));
    const count = (last ?? 0) - (first ?? 0) + 1;
    return Array.from({ length: count }, (_, index) => from.replace(/\d+/, String((first ?? 0) + index)));
  });
}

const paths = sourcePaths().filter(
  (path) =>
    path !== SELF && /\.(?:tsx?|js|css)$/.test(path) && FOLDERS.some((folder) => path.startsWith(folder)),
);

test("comments avoid openings such as Of or What, and three lines suffice outside docstrings", () => {
  const faults = [...paths, ...sqlPaths()].flatMap((path) =>
    commentsIn(read(path), path.endsWith(".sql") ? "sql" : "ts").flatMap((comment) => {
      const fault = commentFault(comment);
      return fault ? `${path}:${comment.line} ${fault}` : [];
    }),
  );
  expect(faults).toEqual([]);
});

test("no function, constant or type is named by a private word", () => {
  expect(paths.flatMap((path) => privateNamesIn(read(path)).map((name) => `${path}: ${name}`))).toEqual([]);
});

test("no variable or table expression of SQL is named by a private word", () => {
  expect(
    sqlPaths().flatMap((path) => privateSqlNamesIn(read(path)).map((name) => `${path}: ${name}`)),
  ).toEqual([]);
});

test("no module is named by a private word", () => {
  expect(paths.filter((path) => !path.endsWith(".css") && hasPrivateFileName(path))).toEqual([]);
});

test("cases.md explains every case id of a test title, once, and no other", () => {
  const used = paths
    .filter((path) => path.endsWith(".test.ts"))
    .flatMap((path) => [...read(path).matchAll(CASE_IDS)].flatMap(([, ids = ""]) => expandIds(ids)));
  const explained = [...read("test/cases.md").matchAll(/^- ([A-Z]+\d+): /gm)].map(([, id = ""]) => id);
  const invariants = explained.filter((id) => /^I\d/.test(id));
  expect([...explained].sort()).toEqual([...new Set([...used, ...invariants, "API1"])].sort());
});

test.each([
  ["// Of two requests, one wins.", 'begins with "Of"'],
  ["/** What the statement did. */", 'begins with "What"'],
  ["  /**\n   * As the newest,\n   * in order.\n   */", 'begins with "As"'],
  ["  // Else it refuses.", 'begins with "Else"'],
  ["// One\n// two\n// three\n// four", "has 4 lines"],
])("the checker finds the fault of %j", (source, fault) => {
  expect(commentsIn(source).map(commentFault)).toEqual([fault]);
});

test("the checker reads SQL comments, but no statement breakpoints", () => {
  const source =
    "-- Of the rows,\n-- the first.\nSELECT 1;\n--> statement-breakpoint\n  -- One\n  -- two\n  -- three\n  -- four";
  expect(commentsIn(source, "sql").map(commentFault)).toEqual(['begins with "Of"', "has 4 lines"]);
});

test.each([
  "// Returns the row.\n// Its lock ends with the transaction.",
  "/**\n * Sums up.\n * One.\n * Two.\n * Three.\n */",
  "/** Office hours. */",
  'const url = "https://a.example"; // For later',
])("the checker accepts %j", (source) => {
  expect(commentsIn(source).flatMap((comment) => commentFault(comment) ?? [])).toEqual([]);
});

test("the checker finds private words wherever names are declared", () => {
  const source = [
    "const told = 1;",
    "export async function held() {}",
    "const [kept, rest] = pair;",
    "const { done, id: walked } = reply;",
    "// const someone = 2;",
    "const { held: lock } = reply;",
  ].join("\n");
  expect(privateNamesIn(source)).toEqual(["told", "held", "kept", "done", "walked"]);
  expect(["a/lane.ts", "a/told.test.ts", "a/lanes-of.ts"].map(hasPrivateFileName)).toEqual([
    true,
    true,
    false,
  ]);
});

test("the checker finds private words among variables and table expressions of SQL", () => {
  const source =
    "CREATE FUNCTION held(p_kept text) AS $$\nDECLARE\n  told record;\n  report reports := told(1);\nBEGIN\n  WITH kept AS MATERIALIZED (\n    SELECT 1 AS held)\n  SELECT 1;";
  expect(privateSqlNamesIn(source)).toEqual(["told", "kept"]);
});
