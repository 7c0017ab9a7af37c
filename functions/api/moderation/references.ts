import type { MeantUser } from "../../../db/queries/moderation.ts";
import type { MeantTrack } from "../../../db/queries/moderation-tracks.ts";
import { usernameKeys } from "../../lib/text/look-alike.ts";
import { slug } from "../../lib/text/slug.ts";

const NOBODY: MeantUser = { id: null, email: null, permalink: null, username_key: null, username: null };

/** The name as typed, if it has letters or signs that keys leave out. Such a user may still have an older key. */
export const exactName = (typed: string): string | null => (/[^ -~]/.test(typed) ? typed.trim() : null);

/** Returns each user that a name may mean: by username in any spelling, or by permalink. */
export const namedUsers = (typed: string): MeantUser[] => [
  { ...NOBODY, username_key: usernameKeys(typed).username_key },
  { ...NOBODY, permalink: slug(typed) },
  { ...NOBODY, username: exactName(typed) },
];

/** Returns all users that an id, an e-mail address or a name may mean. A chosen name may read as another user's id. */
export function meantUsers(typed: string): MeantUser[] {
  const text = typed.trim();
  const named = namedUsers(text);
  if (/^\d{1,16}$/.test(text)) return [{ ...NOBODY, id: Number(text) }, ...named];
  if (/.@./.test(text)) return [{ ...NOBODY, email: text }, ...named];
  return named;
}

/** The end of a URL, or of a path. A private link ends with its secret. */
const PERMALINKS = /(?:^|\/)([\w-]+)\/([\w-]+)(?:\/s-\w+)?\/?(?:[?#].*)?$/;

/** Parses an operator's reference to a track: an id, `user/track`, or the URL of its page. */
export function meantTrack(typed: string): MeantTrack | undefined {
  const name = typed.trim();
  if (/^\d{1,16}$/.test(name)) return { id: Number(name), owner: null, permalink: null };
  const [, owner, permalink] = PERMALINKS.exec(name) ?? [];
  return owner && permalink ? { id: null, owner, permalink } : undefined;
}

/** The end of a set's URL, or of its path. */
const SET = /(?:^|\/)([\w-]+)\/sets\/([\w-]+)(?:\/s-\w+)?\/?(?:[?#].*)?$/;

/** Parses an operator's reference to a set: an id, `user/sets/set`, or the URL of its page. */
export function meantSet(typed: string): { id?: number; owner?: string; permalink?: string } | undefined {
  const name = typed.trim();
  if (/^\d{1,16}$/.test(name)) return { id: Number(name) };
  const [, owner, permalink] = SET.exec(name) ?? [];
  return owner && permalink ? { owner, permalink } : undefined;
}
