import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  arrowFault,
  arrowFaults,
  cycles,
  importGraph,
  importsIn,
  PROJECT_DIR,
  read,
  sourcePaths,
  unusedExports,
} from "../support/structure.ts";

const MAX_LINES = 400;

const TOP_LEVEL = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "biome.json",
  "wrangler.toml",
  "README.md",
  "LICENSE",
  "functions",
  "workers",
  "db",
  "test",
  "node_modules",
];

test("imports point one way", () => {
  expect(arrowFaults(importGraph())).toEqual([]);
});

test("imports make no cycle", () => {
  expect(cycles(importGraph())).toEqual([]);
});

test("scripts for browsers are TypeScript and import only texts from other folders", () => {
  expect(sourcePaths().filter((path) => /^functions\/.*\.js$/.test(path))).toEqual([]);
  const imported = [...importGraph()].flatMap(([from, targets]) =>
    from.startsWith("functions/ui/assets/") ? targets : [],
  );
  expect(imported).toContain("functions/lib/text/size.ts");
  expect(imported.filter((path) => !/^functions\/(?:ui\/assets|lib\/text)\//.test(path))).toEqual([]);
});

test("the import graph is not empty, so that the checks cannot pass on nothing", () => {
  const graph = importGraph();
  expect(graph.get("workers/main.ts")).toContain("functions/app.ts");
  expect(graph.get("functions/app.ts")).toContain("functions/api/tracks/routes.ts");
  for (const [from, targets] of graph)
    for (const to of targets.filter((target) => /\.tsx?$/.test(target)))
      expect(graph.has(to), `${from} → ${to}`).toBe(true);
});

test.each([
  ["db/queries/tracks.ts", "functions/lib/http/env.ts"],
  ["db/client.ts", "workers/main.ts"],
  ["functions/api/tracks/routes.ts", "workers/encoding/ticket.ts"],
  ["functions/lib/http/viewer.ts", "functions/auth/oauth/grants.ts"],
  ["functions/lib/http/log.ts", "functions/app.ts"],
  ["functions/lib/http/files/stored-file.ts", "functions/api/tracks/routes.ts"],
  ["functions/lib/http/files/stored-file.ts", "functions/web/pages/permalinks/routes.tsx"],
  ["functions/lib/http/files/stored-file.ts", "functions/api/tracks/routes-files.ts"],
  ["functions/lib/http/files/stored-file.ts", "functions/api/openapi/document.ts"],
  ["workers/transcoder/main.ts", "db/objects/keys.ts"],
  ["workers/transcoder/main.ts", "workers/encoding/ticket.ts"],
  ["workers/main.ts", "workers/local/stack/stack.ts"],
  ["workers/deploy/main.ts", "workers/local/worker/build.ts"],
  ["workers/main.ts", "workers/admin/main.ts"],
  ["functions/app.ts", "test/support/stack.ts"],
  ["functions/api/tracks/list.ts", "functions/auth/oauth/grants.ts"],
  ["functions/auth/oauth/grants.ts", "functions/web/docs/frame.tsx"],
  ["functions/lib/http/log.ts", "functions/ui/layout.tsx"],
  ["functions/ui/layout.tsx", "functions/api/tracks/list.ts"],
])("the checker refuses %s → %s", (from, to) => {
  expect(arrowFault(from, to)).toBeDefined();
  expect(arrowFaults(new Map([[from, [to]]]))).toHaveLength(1);
});

test.each([
  ["workers/main.ts", "functions/app.ts"],
  ["functions/app.ts", "functions/api/tracks/routes.ts"],
  ["functions/api/tracks/routes.ts", "functions/lib/http/route.ts"],
  ["functions/api/users/routes-me.ts", "functions/api/users/representation.ts"],
  ["functions/lib/http/errors.ts", "db/faults.ts"],
  ["functions/auth/accounts/sign-up.tsx", "functions/ui/form.tsx"],
  ["functions/auth/accounts/sign-up.tsx", "functions/api/users/representation.ts"],
  ["functions/web/pages/site-pages.ts", "functions/auth/accounts/sign-in.tsx"],
  ["workers/admin/main.ts", "workers/local/stack/stack.ts"],
  ["workers/local/stack/stack.ts", "workers/transcoder/ffmpeg.ts"],
  ["test/support/stack.ts", "workers/local/stack/stack.ts"],
])("the checker allows %s → %s", (from, to) => {
  expect(arrowFault(from, to)).toBeUndefined();
});

test("the checker finds cycles of any length, and nothing else", () => {
  const ring = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["a"]],
    ["d", ["a", "d"]],
  ]);
  expect(cycles(ring)).toEqual(["a → b → c → a", "d → d"]);
  const diamond = [
    ["a", ["b", "c"]],
    ["b", ["d"]],
    ["c", ["d"]],
    ["d", []],
  ] as const;
  expect(cycles(new Map(diamond.map(([from, to]) => [from, [...to]])))).toEqual([]);
});

test("the checker reads every form of import", () => {
  const text = [
    'import { a } from "./a.ts";',
    'import type { B } from "../b.ts";',
    'import {\n  c,\n} from "./deep/c.ts";',
    'export * from "./d.ts";',
    'import "./e.ts";',
    `const f = await import(${JSON.stringify("./f.ts")});`,
    'import { z } from "zod";',
  ].join("\n");
  expect(importsIn("functions/x/y.ts", text)).toEqual([
    "functions/x/a.ts",
    "functions/b.ts",
    "functions/x/deep/c.ts",
    "functions/x/d.ts",
    "functions/x/e.ts",
    "functions/x/f.ts",
  ]);
});

test("every export is imported by another file", () => {
  const texts = new Map(sourcePaths().map((path) => [path, read(path)]));
  expect(unusedExports(texts)).toEqual([]);
});

test("the checker finds an export that only its own file uses", () => {
  const texts = new Map([
    ["functions/one.ts", "export const first = 1;\nexport type Second = typeof first;"],
    [
      "functions/two.ts",
      `import {\n  type Second,\n} from ${JSON.stringify("./one.ts")};\nconst first: Second = 1;`,
    ],
    ["functions/three.ts", `const all = await import(${JSON.stringify("./four.ts")});`],
    ["functions/four.ts", "export const third = 1;"],
  ]);
  expect(unusedExports(texts)).toEqual(["functions/one.ts first"]);
});

test(`no source file has over ${MAX_LINES} lines`, () => {
  const long = sourcePaths().filter((path) => read(path).trimEnd().split("\n").length > MAX_LINES);
  expect(long).toEqual([]);
});

test("functions/ holds its rooms, the app and a README", () => {
  expect(readdirSync(join(PROJECT_DIR, "functions")).sort()).toEqual([
    "README.md",
    "api",
    "app.ts",
    "auth",
    "client",
    "lib",
    "ui",
    "web",
  ]);
});

test("the repository's top level holds only the agreed entries", () => {
  const strangers = readdirSync(PROJECT_DIR).filter(
    (name) => !name.startsWith(".") && !TOP_LEVEL.includes(name),
  );
  expect(strangers).toEqual([]);
});

test("no test is skipped and no check is silenced", () => {
  const silenced =
    /\b(?:it|test|describe)\.(?:only|skip|todo)\b|@ts-(?:ignore|nocheck|expect-error)|biome[-]ignore/;
  expect(silenced.test("it.skip(")).toBe(true);
  const found = sourcePaths().filter(
    (path) => path !== "test/units/structure.test.ts" && silenced.test(read(path)),
  );
  expect(found).toEqual([]);
});
