import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Lines with long-term support, and the first release of each that runs TypeScript by itself. */
export const SERVES = [
  { major: 22, minor: 18 },
  { major: 24, minor: 2 },
  { major: 26, minor: 0 },
];

const FOLDERS = ["/usr/local/bin", "/usr/bin"];

/** Finds a Node of the system's that serves. Its fixes come with the system's. */
export function systemNode(folders = FOLDERS): string | undefined {
  return folders.map((folder) => join(folder, "node")).find((program) => serves(nodeVersion(program)));
}

export function nodeVersion(program: string): string {
  try {
    return execFileSync(program, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .trim()
      .replace(/^v/, "");
  } catch {
    return "";
  }
}

function serves(version: string): boolean {
  const [major, minor = 0] = version.split(".").map(Number);
  return SERVES.some((line) => line.major === major && minor >= line.minor);
}
