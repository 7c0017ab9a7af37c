import { describe, expect, test } from "vitest";
import { read, sourcePaths } from "../support/structure.ts";

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

test("the README leads to at least twenty endpoints", () => {
  expect(endpoints.length).toBeGreaterThanOrEqual(20);
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
