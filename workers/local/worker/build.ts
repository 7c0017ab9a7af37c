import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { V4ModuleDefinition, V4WorkerOptionsShape } from "miniflare";
import { buildAssets } from "../../build/static-assets.ts";

export const PROJECT_DIR = join(import.meta.dirname, "../../..");

/** Stops wrangler's prompts, telemetry, log files and network requests. */
export const QUIET_WRANGLER = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_WRITE_LOGS: "false",
  WRANGLER_HIDE_BANNER: "true",
  X_LOCAL_OBSERVABILITY: "false",
};

const OPTIONS = ".options.json";

/** Wrangler's last words. A signal ends it with status 0, too, without a bundle. */
const BUNDLED_WORDS = "--dry-run: exiting now.";

/** The static files of a bundle, which are no modules of the Worker. */
export const assetsOf = (bundle: string): string => join(bundle, ".assets");

/** Files outside the folders that determine the bundle. */
const RECIPE = ["wrangler.toml", "package-lock.json", "tsconfig.json", "workers/local/worker/build.ts"];
const BUNDLED = ["functions", "workers", "db"];
/** Folders inside workers/ that never enter the bundle, and the generated types of the client. */
export const NOT_BUNDLED = /^workers\/(local|transcoder|deploy|admin)\/|\/api-types\.ts$/;

/** Changes whenever the bundle would. */
export function sourcesHash(): string {
  const hash = createHash("sha256");
  const add = (path: string) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(PROJECT_DIR, path)))
      .update("\0");
  for (const path of RECIPE) add(path);
  for (const folder of BUNDLED) {
    const entries = readdirSync(join(PROJECT_DIR, folder), { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(PROJECT_DIR, join(entry.parentPath, entry.name)));
    for (const path of paths.sort()) if (!NOT_BUNDLED.test(path)) add(path);
  }
  return hash.digest("hex");
}

/** Bundles the Worker, minified as a deploy's if asked to. Skips the build if the sources are unchanged. */
export async function buildWorker(directory: string, { minified = false } = {}): Promise<void> {
  const stamp = join(directory, ".sources");
  const sources = sourcesHash();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === sources) return;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const manifest = createRequire(import.meta.url).resolve("wrangler/package.json");
  const wrangler = join(manifest, "../bin/wrangler.js");
  const [said] = await Promise.all([
    // The top level of wrangler.toml declares no container. The flag keeps wrangler from looking for Docker.
    run([
      wrangler,
      "deploy",
      "--env=",
      "--dry-run",
      "--containers-rollout=none",
      "--outdir",
      directory,
      ...(minified ? ["--minify", "--define", "NEON_ONLY:true"] : []),
    ]),
    run([
      join(import.meta.dirname, "wrangler-options.ts"),
      join(PROJECT_DIR, "wrangler.toml"),
      join(directory, OPTIONS),
    ]),
  ]);
  if (!said.includes(BUNDLED_WORDS)) throw new Error(`The Worker's build was interrupted:\n${said}`);
  buildAssets(PROJECT_DIR, assetsOf(directory));
  writeFileSync(stamp, sources);
}

/** Returns what the program wrote. */
async function run(args: string[]): Promise<string> {
  const build = spawn(process.execPath, args, {
    cwd: PROJECT_DIR,
    // A service's account may have no home, and wrangler wants to write there.
    env: { ...process.env, ...QUIET_WRANGLER, XDG_CONFIG_HOME: tmpdir() },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: Buffer[] = [];
  for (const stream of [build.stdout, build.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise((resolve, reject) => build.once("close", resolve).once("error", reject));
  if (code !== 0) throw new Error(`The Worker does not build:\n${Buffer.concat(output)}`);
  return Buffer.concat(output).toString();
}

/** Declarations of wrangler.toml, as the build saved them. */
export const wranglerOptions = (directory: string): V4WorkerOptionsShape =>
  JSON.parse(readFileSync(join(directory, OPTIONS), "utf8"));

/** Lists wrangler's output: the main module, then what it imports as WebAssembly, text or data. */
export function builtModules(directory: string): V4ModuleDefinition[] {
  const names = readdirSync(directory).filter((name) => !/^\.|\.map$|^README\.md$/.test(name));
  const mainFirst = names.sort((a, b) => Number(b === "main.js") - Number(a === "main.js"));
  return mainFirst.map((name) => ({ type: moduleType(name), path: join(directory, name) }));
}

function moduleType(name: string): V4ModuleDefinition["type"] {
  if (name === "main.js") return "ESModule";
  if (name.endsWith(".wasm")) return "CompiledWasm";
  return name.endsWith(".bin") ? "Data" : "Text";
}
