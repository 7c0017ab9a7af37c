import type { ICommonTagsResult } from "music-metadata";
import { artistValues, filledLines } from "../../../lib/text/artist-lines.ts";

/** Artists that a file's tags credit, for the lines of its form. */

/** Lines of the form. */
const LINES = 12;

/** A guest in the name of an artist or in a title: `Ana feat. Ben`, `Night Train (ft. Ben)`. */
const GUEST = /^(.*?)[\s([]+(?:feat|ft)\.?\s+([^)\]]+)[)\]]?|^(.*?)[\s([]+featuring\s+([^)\]]+)[)\]]?/i;

/** Splits a name or title. A guest stays as written: `&` may belong to the name of a band. */
function splitGuest(text: string): { rest: string; guest: string | undefined } {
  const [, rest = text, guest, other, named] = GUEST.exec(text) ?? [];
  return { rest: (other ?? rest).trim(), guest: (guest ?? named)?.trim() };
}

interface Credited {
  name: string;
  role: string;
}

/** Clears a text of a tag, or `undefined` if nothing is left. */
type Clean = (text: string) => string | undefined;

/** Returns the form's lines. Without more than one plain artist there are none: the field for the artist has that one. */
export function artistsOf(common: ICommonTagsResult, clean: Clean): Record<string, string> {
  const { title = "", artist = "", artists = [] } = common;
  const written = artists.length > 1 ? artists : [artist];
  const split = written.map(splitGuest);
  const guests = [...split.map(({ guest }) => guest), splitGuest(title).guest];
  const found = [
    ...split.map(({ rest }) => ({ name: rest, role: "main" })),
    ...guests.map((name) => ({ name: name ?? "", role: "featured" })),
    ...(["remixer", "producer", "composer", "lyricist", "arranger", "engineer"] as const).flatMap((role) =>
      (common[role] ?? []).map((name) => ({ name, role })),
    ),
  ];
  const credited = unique(
    found.flatMap(({ name, role }) => {
      const line = clean(name);
      return line ? [{ name: line, role }] : [];
    }),
  );
  const isPlain = credited.every(({ role }) => role === "main") && credited.length < 2;
  return isPlain ? {} : artistValues(credited.slice(0, LINES));
}

/** Each name once a role. A guest whom the tags list among the artists, too, is a guest. */
function unique(credited: Credited[]): Credited[] {
  const guests = new Set(credited.flatMap(({ name, role }) => (role === "featured" ? [name] : [])));
  const seen = new Set<string>();
  return credited.filter(({ name, role }) => {
    const key = `${role} ${name}`;
    if (seen.has(key) || (role === "main" && guests.has(name))) return false;
    seen.add(key);
    return true;
  });
}

/** Shows the filled lines and one more. */
export function showLines(card: HTMLElement, values: Record<string, string | undefined>): void {
  const shown = filledLines(values) + 1;
  for (const [at, line] of [...card.querySelectorAll<HTMLElement>("[data-artist-line]")].entries())
    line.hidden = at >= shown;
}
