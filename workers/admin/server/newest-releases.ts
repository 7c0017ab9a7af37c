/** The day of the table, and where it is from: packages of Debian 12, 13 and sid with their security updates, and npm's `node`. */
export const KNOWN_ON = "28 November 2026";

/** The newest patch release of each line. workers/build/README.md says how a release brings it up to date. */
const NEWEST = {
  PostgreSQL: ["17.12", "18.6"],
  Node: ["22.23.3", "24.22.2", "26.10.0"],
  ffmpeg: ["5.1.9", "7.1.5", "9.0.2"],
};

export type Program = keyof typeof NEWEST;

/** Returns the newest release of a version's line, if the version is older. Of other lines nothing is known. */
export function newerThan(program: Program, version: string): string | undefined {
  const parts = partsOf(version);
  return NEWEST[program].find((newest) => {
    const [newestParts, patch] = [partsOf(newest), program === "ffmpeg" ? 2 : 1];
    const sameLine = newestParts.slice(0, patch).every((part, place) => part === parts[place]);
    return sameLine && isOlder(parts, newestParts);
  });
}

const partsOf = (version: string): number[] =>
  (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);

function isOlder(one: number[], other: number[]): boolean {
  const place = other.findIndex((part, at) => part !== (one[at] ?? 0));
  return place >= 0 && (one[place] ?? 0) < (other[place] ?? 0);
}
