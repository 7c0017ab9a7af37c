import { spawnSync } from "node:child_process";
import { join } from "node:path";

const PROJECT_DIR = join(import.meta.dirname, "../..");

/** Docker, or podman under the name by which wrangler finds it, too. */
const DOCKER = process.env.WRANGLER_DOCKER_BIN ?? "docker";

/** Images by name. The transcoder runs where the platform does, a server's image on processors like this one. */
const IMAGES = [
  {
    name: "soundpost-transcoder",
    file: "workers/transcoder/Dockerfile",
    context: "workers/transcoder",
    platform: ["--platform", "linux/amd64"],
  },
  { name: "soundpost", file: "workers/local/container/Containerfile", context: ".", platform: [] },
];

/** Prints a line for each of Debian's fixes that the image lacks. */
export const MISSING_FIXES = "apt-get -qq update && apt-get -qq --simulate upgrade";

/** Builds the images, sees that they lack no fix, and pushes them only then. */
export function publish(registry: string, version: string): void {
  run("sh", ["workers/transcoder/image/install.sh"]);
  const tags = IMAGES.map((image) => build(image, `${registry}/${image.name}:${version}`));
  for (const tag of tags) requireFixes(tag);
  for (const tag of tags) run(DOCKER, ["push", tag]);
}

function build({ file, context, platform }: (typeof IMAGES)[number], tag: string): string {
  const fixes = ["--build-arg", `FIXES_OF=${new Date().toISOString().slice(0, 10)}`];
  run(DOCKER, ["build", ...platform, ...fixes, "--tag", tag, "--file", file, context]);
  return tag;
}

function requireFixes(tag: string): void {
  const words = ["run", "--rm", "--user", "0:0", "--entrypoint", "sh", tag, "-c", MISSING_FIXES];
  const missing = run(DOCKER, words, "pipe").trim();
  if (missing) throw new Error(`${tag} lacks fixes of Debian:\n${missing}`);
}

function run(program: string, words: string[], output: "inherit" | "pipe" = "inherit"): string {
  const { status, stdout, error } = spawnSync(program, words, {
    cwd: PROJECT_DIR,
    encoding: "utf8",
    stdio: ["ignore", output, "inherit"],
  });
  if (status !== 0) throw new Error(`${program} ${words[0]} failed${error ? `: ${error.message}` : ""}`);
  return stdout ?? "";
}
