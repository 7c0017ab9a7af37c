import { type FSWatcher, readdirSync, readFileSync, watch } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { basename, join, relative } from "node:path";
import * as esbuild from "esbuild";
import { migrate } from "../../../db/migrate.ts";
import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { buildAssets } from "../../build/static-assets.ts";
import { assetsOf, NOT_BUNDLED } from "./build.ts";

const SOURCES = ["functions", "workers", "db"];

/** Milliseconds. An editor saves several files within it. */
const SETTLE_MS = 50;

type ReloadOptions = {
  /** The directory with wrangler.toml and the sources. */
  projectDir: string;
  dataDir: string;
  /** The migrator's. */
  databaseUrl: string;
  reload(bundle: string): Promise<void>;
  log: (line: string) => void;
};

/**
 * Bundles the Worker again when a source changes, and replaces the running one. esbuild keeps its state between builds,
 * so an edited handler answers within two seconds. Deploys and the next start bundle with wrangler.
 */
export function watchSources(options: ReloadOptions): () => void {
  const { projectDir, log } = options;
  const bundler = openBundler(projectDir, join(options.dataDir, "worker-edited"));
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  /** Resolves when the builds before have ended: one runs at a time. */
  let turn = Promise.resolve();

  async function run(): Promise<void> {
    if (changed.size === 0) return;
    const startedAt = performance.now();
    const paths = [...changed].sort();
    changed.clear();
    try {
      if (paths.some((path) => /^db\/(functions|migrations)\//.test(path)))
        await migrate({ url: options.databaseUrl });
      await options.reload(await bundler.build());
      bundler.keep();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      log(`Reloaded in ${seconds} s: ${paths.join(", ")}`);
    } catch (error) {
      log(`Not reloaded, the Worker runs as before: ${messageOf(error)}`);
    }
  }

  const warn = (error: unknown) => log(`Some edits are not noticed: ${messageOf(error)}`);

  function note(path: string): void {
    if (NOT_BUNDLED.test(path) || !/\.(tsx?|css|js|svg|sql|md)$|_headers$/.test(path)) return;
    changed.add(path);
    clearTimeout(timer);
    timer = setTimeout(() => {
      turn = turn.then(run);
    }, SETTLE_MS);
  }

  const watchers: FSWatcher[] = [];
  try {
    for (const folder of SOURCES.flatMap((source) => foldersIn(projectDir, source)))
      watchers.push(
        watch(join(projectDir, folder), (_, name) => name && note(join(folder, name))).on("error", warn),
      );
  } catch (error) {
    // The system limits watched folders. The stack serves without.
    warn(error);
  }
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    void bundler.close();
  };
}

/** Lists a folder and those below it, to watch each: Node's recursive watch loses files that an editor replaces. */
const foldersIn = (projectDir: string, folder: string): string[] => [
  folder,
  ...readdirSync(join(projectDir, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(projectDir, join(entry.parentPath, entry.name))),
];

/** Leads packages that `require("events")` to the platform's modules, as wrangler does: an ES module has no `require`. */
const NODE_MODULES: esbuild.Plugin = {
  name: "node-modules",
  setup(build) {
    const namespace = "required";
    build.onResolve({ filter: /^(?:node:)?[a-z_/0-9]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, "");
      if (!builtinModules.includes(name)) return undefined;
      return kind === "require-call" ? { path: name, namespace } : { path: `node:${name}`, external: true };
    });
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `import all from "node:${path}"; module.exports = all;`,
    }));
  },
};

/**
 * Bundles as wrangler does, but for its size: the first build takes a second, later ones half of it. A build leaves alone the
 * bundle that was kept last, which runs.
 */
function openBundler(projectDir: string, directory: string) {
  let folder: "odd" | "even" = "odd";
  const open = () =>
    esbuild.context({
      absWorkingDir: projectDir,
      entryPoints: ["workers/main.ts"],
      // Paths in the source map are relative to it, and hold in either folder.
      outfile: join(directory, folder, "main.js"),
      write: false,
      bundle: true,
      format: "esm",
      target: "es2024",
      platform: "browser",
      conditions: ["workerd", "worker", "browser"],
      external: ["node:*", "cloudflare:*"],
      plugins: [NODE_MODULES],
      alias: aliasesOf(projectDir),
      define: { "process.env.NODE_ENV": '"production"' },
      sourcemap: "linked",
      logLevel: "silent",
    });
  let context: ReturnType<typeof open> | undefined;
  return {
    /** Resolves to the directory of the bundle. Throws with the places of its errors. */
    async build(): Promise<string> {
      context ??= open();
      const { outputFiles } = await (await context).rebuild().catch((failure: esbuild.BuildFailure) => {
        throw new Error(failure.errors.map(placeOf).join("\n"));
      });
      const bundle = join(directory, folder);
      await mkdir(bundle, { recursive: true });
      for (const { path, contents } of outputFiles) await writeFile(join(bundle, basename(path)), contents);
      buildAssets(projectDir, assetsOf(bundle));
      return bundle;
    },
    keep(): void {
      folder = folder === "odd" ? "even" : "odd";
    },
    async close(): Promise<void> {
      await (await context)?.dispose();
      // Its process would print a trace if ours ended while it asked whether ours lives.
      await esbuild.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const placeOf = ({ location, text }: esbuild.Message): string =>
  location ? `${location.file}:${location.line}:${location.column}: ${text}` : text;

/** The section `[alias]` of wrangler.toml. */
function aliasesOf(projectDir: string): Record<string, string> {
  const section =
    /^\[alias\]\n(.*?)^\[/ms.exec(readFileSync(join(projectDir, "wrangler.toml"), "utf8"))?.[1] ?? "";
  return Object.fromEntries([...section.matchAll(/^"(.+?)" = "(.+?)"$/gm)].map(([, from, to]) => [from, to]));
}
