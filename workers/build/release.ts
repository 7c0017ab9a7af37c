import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../functions/lib/errors/message-of.ts";
import { publish } from "./publish.ts";

/**
 * Runs `npm run release -- patch|minor|major`: sets the version, commits and tags. Nothing is pushed. Then
 * `npm run release -- publish REGISTRY` builds the images of that version and pushes them.
 */

const PROJECT_DIR = join(import.meta.dirname, "../..");

const KINDS = ["major", "minor", "patch"] as const;
type Kind = (typeof KINDS)[number];

const CHANGELOG = "functions/web/docs/guides/changelog.md";
/** Files that name the version, with the pattern of its first place. The lockfile has it twice. */
const NAMING: Record<string, RegExp> = {
  "package.json": /(?<="version": ")[^"]+/,
  "package-lock.json": /(?<="name": "soundpost",\s+"version": ")[^"]+/g,
  "functions/api/health/version.ts": /(?<=VERSION = ")[^"]+/,
};

export function nextVersion(version: string, kind: Kind): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (kind === "major") return `${major + 1}.0.0`;
  return kind === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/**
 * Puts the version into the changelog's newest section. Throws if that section has one, because then nothing was
 * added since.
 */
export function markedChangelog(changelog: string, version: string): string {
  const [heading = ""] = /^## .*$/m.exec(changelog) ?? [];
  if (!heading || /\d+\.\d+\.\d+/.test(heading))
    throw new Error(`${CHANGELOG} says nothing of this release: begin a section with its date`);
  return changelog.replace(heading, `${heading}, version ${version}`);
}

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: PROJECT_DIR, encoding: "utf8", stdio: "pipe" }).trim();

function change(path: string, edit: (text: string) => string): void {
  const file = join(PROJECT_DIR, path);
  writeFileSync(file, edit(readFileSync(file, "utf8")));
}

function release(kind: Kind): string {
  if (git("status", "--porcelain")) throw new Error("There are changes that are not committed");
  const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));
  const next = nextVersion(version, kind);
  if (git("tag", "--list", `v${next}`)) throw new Error(`The tag v${next} is there already`);
  try {
    change(CHANGELOG, (text) => markedChangelog(text, next));
    for (const [path, pattern] of Object.entries(NAMING)) change(path, (text) => text.replace(pattern, next));
    git("commit", "--quiet", "--all", "--message", `Version ${next}`);
  } catch (error) {
    // The next try wants a tree without changes.
    git("reset", "--quiet", "--hard");
    throw error;
  }
  git("tag", "--annotate", `v${next}`, "--message", `Version ${next}`);
  return next;
}

/** The version of this commit. Images of another state would bear its name in vain. */
function taggedVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));
  const tags = git("tag", "--points-at", "HEAD").split("\n");
  if (git("status", "--porcelain") || !tags.includes(`v${version}`))
    throw new Error(`This is not version ${version} as it was tagged: git checkout v${version}`);
  return version;
}

if (import.meta.main) {
  const [verb, registry] = process.argv.slice(2);
  const kind = KINDS.find((each) => each === verb);
  try {
    if (verb === "publish" && registry) publish(registry, taggedVersion());
    else if (kind) console.log(`Version ${release(kind)} is committed and tagged: git push --follow-tags`);
    else throw new Error(`npm run release -- ${KINDS.join("|")}\nnpm run release -- publish REGISTRY`);
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
