import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { PROJECT_DIR } from "../support/structure.ts";

const SOURCES = ["functions", "workers", "db", "LICENSE"];
const FILES = ["package.json", "package-lock.json", "tsconfig.json", "wrangler.toml"];

/** Builds and pushes nothing, and answers what wrangler asks about an image. It fails at the verb in `docker.refuses`. */
const DOCKER = `#!/bin/sh
echo "$*" >> "$0.log"
[ "$1" = "$(cat "$0.refuses" 2> /dev/null)" ] && exit 1
case "$*" in
  build* | login*) cat > /dev/null ;;
  *"{{ .Size }}"*) echo "400000000 10" ;;
  *RepoDigests*) case "$3" in registry*) echo "[\\"\${3%:*}@sha256:$(printf %064d 7)\\"]" ;; *) echo "[]" ;; esac ;;
esac
`;

/** Installs nothing: neither into the packages that copies share, nor for the image. */
const NPM = `#!/bin/sh
echo "$*" >> "$0.log"
`;

/** A copy of the sources, as clean as a clone, because a deploy writes beside them. Its Docker and npm do nothing. */
export function copyProject(change: (config: string) => string = (config) => config) {
  const directory = mkdtempSync(join(tmpdir(), "soundpost-deploy-"));
  for (const name of [...SOURCES, ...FILES])
    cpSync(join(PROJECT_DIR, name), join(directory, name), {
      recursive: true,
      filter: (path) => !path.endsWith("/node_modules"),
    });
  symlinkSync(join(PROJECT_DIR, "node_modules"), join(directory, "node_modules"));
  const config = join(directory, "wrangler.toml");
  writeFileSync(config, change(readFileSync(config, "utf8")));
  const tools = join(directory, "tools");
  mkdirSync(tools);
  for (const [name, text] of Object.entries({ docker: DOCKER, npm: NPM }))
    writeFileSync(join(tools, name), text, { mode: 0o755 });
  const logOf = (tool: "docker" | "npm") => readFileSync(join(tools, `${tool}.log`), "utf8");
  return {
    directory,
    tools,
    config: () => readFileSync(config, "utf8"),
    logOf,
  };
}

type Project = ReturnType<typeof copyProject>;

const npm = spawnSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).stdout.trim();

const QUIET = { NO_COLOR: "1", npm_config_update_notifier: "false", WRANGLER_HIDE_BANNER: "true" };

/** Starts `npm run deploy -- …` without the settings of whoever runs the tests. */
function start(project: Project, args: string[], env: Record<string, string>, onTerminal: boolean) {
  const command = [npm, "run", "-s", "deploy", "--", ...args];
  const [program = "", ...rest] = onTerminal ? ["script", "-qefc", command.join(" "), "/dev/null"] : command;
  const PATH = [project.tools, process.env.PATH].join(delimiter);
  return spawn(program, rest, {
    cwd: project.directory,
    env: { ...QUIET, PATH, HOME: project.directory, TERM: "dumb", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
}

/** Runs the command. On a terminal, `answers` are typed when their names are asked for. */
export function deploy(
  project: Project,
  args: string[],
  { env = {}, answers }: { env?: Record<string, string>; answers?: Record<string, string> } = {},
) {
  const child = start(project, args, env, answers !== undefined);
  let output = "";
  const typed = new Set<string>();
  const read = (chunk: Buffer) => {
    output += chunk;
    const [, name = ""] = /([A-Z_]+): $/.exec(output) ?? [];
    const answer = answers?.[name];
    if (answer === undefined || typed.has(name)) return;
    typed.add(name);
    child.stdin.write(`${answer}\n`);
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  if (!answers) child.stdin.end();
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output }));
  /** Closes the terminal, as when a window is closed. */
  const kill = () => child.kill("SIGKILL");
  return { ended, kill, typed, output: () => output };
}
