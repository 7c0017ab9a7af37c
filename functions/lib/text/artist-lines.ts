/** Lines of a form for credited artists: `artist_name_0`, `artist_role_0`, `artist_user_0` and so on. */

/** Lines that a form has at most, which is how many artists the API takes. */
export const MOST_LINES = 30;

const PARTS = ["name", "role", "user"] as const;
type Part = (typeof PARTS)[number];

export const lineName = (part: Part, at: number): string => `artist_${part}_${at}`;

type Sent = Record<string, string | null | undefined>;

interface Shown {
  name: string;
  role: string;
  user?: { permalink: string } | null;
}

/** The form's values for artists. */
export const artistValues = (artists: Shown[]): Record<string, string> =>
  Object.fromEntries(
    artists.flatMap(({ name, role, user }, at) => [
      [lineName("name", at), name],
      [lineName("role", at), role],
      [lineName("user", at), user ? `@${user.permalink}` : ""],
    ]),
  );

/** Returns the API's artists from a form, without its empty lines. `undefined` if the form has no such lines. */
export function artistsIn(sent: Sent) {
  const lines = Array.from({ length: MOST_LINES }, (_, at) => {
    const [name, role, user] = PARTS.map((part) => sent[lineName(part, at)]?.trim());
    return { name, role, user };
  });
  if (lines.every(({ name }) => name === undefined)) return undefined;
  return lines
    .filter(({ name, user }) => name || user)
    .map(({ name, role, user }) => ({ name, role, permalink: user && permalinkIn(user) }));
}

/** `@ben`, `ben` and the address of a profile name the same user. */
const permalinkIn = (user: string) => user.replace(/^https?:\/\/[^/]+\//i, "").replace(/^@|\/$/g, "");

/** Number of lines up to the last one with a name or a user. */
export function filledLines(values: Sent): number {
  let filled = 0;
  for (let at = 0; at < MOST_LINES; at++)
    if (values[lineName("name", at)] || values[lineName("user", at)]) filled = at + 1;
  return filled;
}
