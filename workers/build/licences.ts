import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Installed {
  version?: string;
  license?: string;
}

const IS_LICENCE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Writes the licences of the packages that a server runs, as they demand. Equal texts stand once. */
export function licencesOf(projectDir: string): Buffer {
  const lockfile = readFileSync(join(projectDir, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, Installed> };
  const byText = new Map<string, string[]>();
  for (const [path, { version, license }] of Object.entries(packages)) {
    if (!path || !existsSync(join(projectDir, path))) continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const text = licenceIn(join(projectDir, path)) ?? `Licence: ${license}`;
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const own = readFileSync(join(projectDir, "LICENSE"), "utf8").trim();
  const parts = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}`);
  return Buffer.from([`Soundpost\n\n${own}`, ...parts].join(`\n\n${"=".repeat(80)}\n\n`).concat("\n"));
}

function licenceIn(directory: string): string | undefined {
  const names = readdirSync(directory).filter((name) => IS_LICENCE.test(name));
  const texts = names.sort().map((name) => readFileSync(join(directory, name), "utf8"));
  return texts.length ? texts.join("\n\n").replaceAll("\r\n", "\n").trim() : undefined;
}
