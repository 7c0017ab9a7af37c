import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Runs `npm run release -- patch|minor|major`: sets the version, commits and tags. Nothing is pushed. */

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

const git = (...args: string[]) => execFileSync("git", args, { cwd: PROJECT_DIR, encoding: "utf8" }).trim();

function change(path: string, edit: (text: string) => string): void {
  const file = join(PROJECT_DIR, path);
  writeFileSync(file, edit(readFileSync(file, "utf8")));
}

function release(kind: Kind): string {
  if (git("status", "--porcelain")) throw new Error("There are changes that are not committed");
  const { version } = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));
  const next = nextVersion(version, kind);
  change(CHANGELOG, (text) => markedChangelog(text, next));
  for (const [path, pattern] of Object.entries(NAMING)) change(path, (text) => text.replace(pattern, next));
  git("commit", "--quiet", "--all", "--message", `Version ${next}`);
  git("tag", "--annotate", `v${next}`, "--message", `Version ${next}`);
  return next;
}

if (import.meta.main) {
  const kind = KINDS.find((each) => each === process.argv[2]);
  try {
    if (!kind) throw new Error(`npm run release -- ${KINDS.join("|")}`);
    console.log(`Version ${release(kind)} is committed and tagged: git push --follow-tags`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
