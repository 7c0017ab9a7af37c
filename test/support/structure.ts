import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const PROJECT_DIR = join(import.meta.dirname, "../..");

/** Paths from the repository's root: file → imported files. */
type ImportGraph = Map<string, string[]>;

const SOURCE_FOLDERS = ["functions", "workers", "db", "test"];

const filesBelow = (folder: string): string[] =>
  readdirSync(join(PROJECT_DIR, folder), { withFileTypes: true })
    .filter(({ name }) => name !== "node_modules")
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
    });

/** Made from the API document. */
const CLIENT_TYPES = "functions/client/api-types.ts";

/** Hand-written sources, without drizzle-kit's drafts, the client's types, packages for the image and minified files. */
export const sourcePaths = (): string[] =>
  SOURCE_FOLDERS.flatMap(filesBelow)
    .filter(
      (path) =>
        /\.(?:ts|tsx|js|css|sh)$/.test(path) &&
        path !== CLIENT_TYPES &&
        !/^db\/migrations\/|\.min\.js$/.test(path),
    )
    .sort();

/** Database functions and migrations. */
export const sqlPaths = (): string[] =>
  filesBelow("db")
    .filter((path) => path.endsWith(".sql"))
    .sort();

/** READMEs and the pages beside them. */
export const pagePaths = (): string[] =>
  ["README.md", ...SOURCE_FOLDERS.flatMap(filesBelow).filter((path) => path.endsWith(".md"))].sort();

export const read = (path: string): string => readFileSync(join(PROJECT_DIR, path), "utf8");

/**
 * `import … from "x"`, `export … from "x"` and `import "x"` at the edges of a line; `import("x")` anywhere.
 */
const IMPORTED = /(?:^(?:import|export|\})[^"\n]*|\bimport\()"(\.{1,2}\/[^"\n]+)"/gm;

export const importsIn = (path: string, text: string): string[] =>
  [...text.matchAll(IMPORTED)].map(([, target = ""]) => join(dirname(path), target));

export const importGraph = (): ImportGraph => {
  const modules = sourcePaths().filter((path) => /\.tsx?$/.test(path));
  return new Map([
    [CLIENT_TYPES, []],
    ...modules.map((path) => [path, importsIn(path, read(path))] as const),
  ]);
};

/** Separate programs, which the service never imports. `npm start -- file` runs the admin's commands. */
const PROGRAMS: Record<string, string[]> = {
  "workers/local": ["workers/local", "workers/admin", "test"],
  "workers/admin": ["workers/admin", "workers/local", "test"],
  "workers/deploy": ["workers/deploy", "workers/admin", "test"],
};

const within = (folder: string, path: string) => path.startsWith(`${folder}/`);

/** Room and folder, such as `api` and `tracks`. A file of the room itself has no folder. */
const placeOf = (path: string) => /^functions\/([^/]+)\/(?:([^/]+)\/)?/.exec(path)?.slice(1, 3) ?? [];

/** Returns why the import is forbidden, or `undefined`. */
export function arrowFault(from: string, to: string): string | undefined {
  if (within("test", from)) return undefined;
  if (within("test", to)) return "only tests import tests";
  if (within("db", from) && !within("db", to)) return "db imports nothing of ours";
  if (within("workers/transcoder", from) && !within("workers/transcoder", to))
    return "the transcoder's image holds nothing else";
  if (within("functions", from) && !within("functions", to) && !within("db", to))
    return "functions import functions and db";
  for (const [folder, importers] of Object.entries(PROGRAMS)) {
    if (within(folder, to) && !importers.some((importer) => within(importer, from)))
      return `${folder} is imported by ${importers.join(", ")} alone`;
  }
  return roomFault(from, to);
}

/** The rooms of functions/ and their folders. Each imports only those before it. */
const ROOMS: Record<string, string> = {
  lib: "errors security text http services pictures",
  ui: "assets",
  api:
    "media uploads images health users apps connections tracks credits followings web-profiles comments playlists podcasts plays insights " +
    "webhooks imports favorites feed activities search resolve moderation openapi",
  auth: "oauth connections apps accounts",
  web: "embed pages docs",
  client: "",
};

function roomFault(from: string, to: string): string | undefined {
  const [room = "", folder = ""] = placeOf(from);
  const [otherRoom = "", other = ""] = placeOf(to);
  if (!within("functions", from) || !within("functions", to) || room === "") return undefined;
  if (otherRoom === "") return "a room does not import what puts rooms together";
  if (/\/routes(-[a-z]+)?\.tsx?$/.test(to) && (room !== otherRoom || folder !== other))
    return "routes are imported by the app alone";
  const names = Object.keys(ROOMS);
  const [place, otherPlace] = [names.indexOf(room), names.indexOf(otherRoom)];
  if (place < 0 || otherPlace < 0) return "a new room needs a place among ROOMS";
  if (place !== otherPlace) return otherPlace < place ? undefined : `${room} stands before ${otherRoom}`;
  return folderFault(ROOMS[room] ?? "", folder, other);
}

function folderFault(order: string, folder: string, other: string): string | undefined {
  if (folder === other || folder === "" || other === "") return undefined;
  const [place, otherPlace] = [folder, other].map((name) => order.split(" ").indexOf(name));
  if (place === undefined || otherPlace === undefined || place < 0 || otherPlace < 0)
    return "a new folder needs a place among ROOMS";
  return otherPlace < place ? undefined : `${folder} stands before ${other}`;
}

export const arrowFaults = (graph: ImportGraph): string[] =>
  [...graph].flatMap(([from, targets]) =>
    targets.flatMap((to) => {
      const fault = arrowFault(from, to);
      return fault ? [`${from} → ${to}: ${fault}`] : [];
    }),
  );

/** Lists each cycle once, by the path that closes it. */
export function cycles(graph: ImportGraph): string[] {
  const found: string[] = [];
  const visited = new Set<string>();
  const visit = (path: string, trail: string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(" → "));
    if (start >= 0 || visited.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    visited.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm;

/** Packages of their own, tables, which drizzle-kit reads, what `wrangler.toml` names, and texts in tests. */
const EXPORTED_TO_OTHERS =
  /^(?:functions\/client|test\/client|test\/generators|db\/schema)\/|^(?:workers\/main|functions\/lib\/text\/no-css-parser)\.ts$|\.test\.ts$/;

/** An import's names and module, or the module of an `import("…")`, which takes all. */
const TAKEN =
  /^(?:import|export)\s+(?:type\s+)?([^"';]*?)\s+from\s+"(\.{1,2}\/[^"\n]+)"|\bimport\("(\.{1,2}\/[^"\n]+)"\)/gm;

/** Tests name browser scripts so (`test/units/assets.support.ts`), and take all of them. */
const SCRIPT_TAKEN = /\basset\("([^"\n]+)"\)/g;

/** Exports that no other file imports, as `path name`. */
export function unusedExports(texts: Map<string, string>): string[] {
  const taken = new Set<string>();
  for (const text of texts.values())
    for (const [, name] of text.matchAll(SCRIPT_TAKEN)) taken.add(`functions/ui/assets/${name} *`);
  for (const [path, text] of texts)
    for (const [, names = "*", target, whole = target] of text.matchAll(TAKEN))
      for (const [name] of names.matchAll(/\*|\w+/g))
        taken.add(`${join(dirname(path), whole ?? "")} ${name}`);
  return [...texts].flatMap(([path, text]) =>
    EXPORTED_TO_OTHERS.test(path)
      ? []
      : Array.from(text.matchAll(EXPORTED), ([, name = ""]) => `${path} ${name}`).filter(
          (one) => !taken.has(one) && !taken.has(`${path} *`),
        ),
  );
}
