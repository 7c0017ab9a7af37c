import { execFile } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyProject } from "./deploying.support.ts";

const run = promisify(execFile);

let project: ReturnType<typeof copyProject>;
let said: string;
let bundle: string;

// The platform's own builds run the same command, and know nothing of our deploy.
beforeAll(async () => {
  project = copyProject();
  bundle = join(project.directory, "bundle");
  const PATH = [project.tools, process.env.PATH].join(delimiter);
  const env = { PATH, HOME: project.directory, NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" };
  const words = ["wrangler", "deploy", "--dry-run", "--env", "staging", "--outdir", bundle];
  const { stdout } = await run("npx", words, { cwd: project.directory, env });
  said = stdout;
});
afterAll(() => rmSync(project.directory, { recursive: true, force: true }));

test("wrangler deploys a clean clone by itself, static files and the transcoder's image included", () => {
  expect(said).toMatch(/Read \d{2,} files from the assets directory/);
  expect(said).toContain("soundpost-transcoder-staging");
  expect(said).toContain("--dry-run: exiting now.");
  expect(project.logOf("npm")).toMatch(/^ci .*--os=linux --cpu=x64/m);
  expect(project.logOf("docker")).toMatch(/^build .*workers\/transcoder$/m);
});

test("its Worker names the static files that were laid out with it", async () => {
  const assets = join(project.directory, ".wrangler/assets");
  const others = readdirSync(bundle).filter((name) => name.endsWith(".txt"));
  const platform = new Miniflare(
    convertV4MiniflareOptions({
      cf: false,
      compatibilityDate: "2026-10-01",
      compatibilityFlags: ["nodejs_compat"],
      modulesRoot: bundle,
      modules: [
        { type: "ESModule", path: join(bundle, "deployed.js") },
        ...others.map((name) => ({ type: "Text" as const, path: join(bundle, name) })),
      ],
      bindings: {
        API_URL: "http://localhost",
        AUTH_URL: "http://localhost",
        WEB_URL: "http://localhost",
        DATABASE_URL: "postgres://nobody:none@database.invalid/none",
      },
    }),
  );
  try {
    const { headers } = await platform.dispatchFetch("http://localhost/static/older/style.css", {
      redirect: "manual",
    });
    const location = headers.get("Location") ?? "";
    expect(location).toMatch(/^\/static\/[\w-]{12}\/style\.css$/);
    expect(existsSync(join(assets, location))).toBe(true);
  } finally {
    await platform.dispose();
  }
});
