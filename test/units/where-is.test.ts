import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_DIR, read, sourcePaths } from "../support/structure.ts";

/** The rows of a README's table "Where is …?": its names in backquotes, cell by cell. */
const rowsOf = (readme: string): string[][][] =>
  (/## Where is …\?\n(.*?)\n## /s.exec(read(readme))?.[1] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)),
    );

const endpoints = rowsOf("functions/README.md").map(([endpoint = [], route = [], query = []]) => ({
  endpoint: endpoint[0] ?? "",
  route: `functions/${route[0]}`,
  file: `db/queries/${query[0]}`,
  query: query[1] ?? "",
}));

const statements = rowsOf("db/README.md").map(([query = [], statement = []]) => ({
  file: `db/queries/${query[0]}`,
  query: query[1] ?? "",
  /** Undefined for a query that Drizzle's builder writes. */
  statement: statement[0],
}));

/** The text of an exported function, up to the next export. */
const definitionOf = (file: string, name: string): string | undefined =>
  new RegExp(`export (?:const|async function|function) ${name}\\b.*?(?=\\nexport |$)`, "s").exec(
    read(file),
  )?.[0];

const inFunctions = sourcePaths().filter((path) => path.startsWith("functions/"));

const beginnings = [
  ...(/## Where to begin\n(.*?)\n## /s.exec(read("functions/README.md"))?.[1] ?? "").matchAll(
    /`([\w/.-]+\.tsx?)` `(\w+)`/g,
  ),
].map(([, file = "", name = ""]) => [name, file] as const);

test("a README says where nine things begin", () => {
  expect(beginnings.length).toBeGreaterThanOrEqual(9);
});

test.each(beginnings)("%s is in %s, where a new thing of its kind begins", (name, file) => {
  expect(read(file)).toMatch(new RegExp(`^(?:export )?const ${name}\\b`, "m"));
});

test("the READMEs lead to at least twenty endpoints", () => {
  expect(endpoints.length).toBeGreaterThanOrEqual(20);
  expect(statements.map(({ query }) => query)).toEqual(endpoints.map(({ query }) => query));
});

describe("functions/README.md", () => {
  test.each(endpoints)("$endpoint is where it says", ({ endpoint, route, file, query }) => {
    const [method = "", path = ""] = endpoint.split(" ");
    const pattern = path.replace(/\{(\w+)\}/g, ":$1");
    expect(read(route)).toMatch(new RegExp(`\\.${method.toLowerCase()}\\(\\s*"${pattern}"`));
    expect(definitionOf(file, query)).toBeDefined();
    const users = inFunctions.filter((one) => new RegExp(`\\b${query}\\b`).test(read(one)));
    expect(users).not.toEqual([]);
  });
});

describe("db/README.md", () => {
  test.each(statements)("$query sends what it says", ({ file, query, statement }) => {
    const definition = definitionOf(file, query) ?? "";
    if (statement === undefined) return expect(definition).toMatch(/\.(read|select|insert|update|delete)\(/);
    expect(existsSync(join(PROJECT_DIR, "db/functions", statement))).toBe(true);
    expect(definition).toContain(`"${/(\w+)\.sql$/.exec(statement)?.[1]}"`);
  });
});
