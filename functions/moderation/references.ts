import type { MeantUser } from "../../db/queries/moderation.ts";
import type { MeantTrack } from "../../db/queries/moderation-tracks.ts";
import { usernameKeys } from "../text/look-alike.ts";
import { slug } from "../text/slug.ts";

const NOBODY: MeantUser = { id: null, email: null, permalink: null, username_key: null };

/** A user as operators type one: an id, an e-mail address, a permalink, or a username in any spelling. */
export function meantUser(typed: string): MeantUser {
  const name = typed.trim();
  if (/^\d{1,16}$/.test(name)) return { ...NOBODY, id: Number(name) };
  if (/.@./.test(name)) return { ...NOBODY, email: name };
  return { ...NOBODY, permalink: slug(name), username_key: usernameKeys(name).username_key };
}

/** The end of an address, or what an address would end with. A private link has a secret behind it. */
const PERMALINKS = /(?:^|\/)([\w-]+)\/([\w-]+)(?:\/s-\w+)?\/?(?:[?#].*)?$/;

/** A track as operators type one: an id, `user/track`, or the address of its page. */
export function meantTrack(typed: string): MeantTrack | undefined {
  const name = typed.trim();
  if (/^\d{1,16}$/.test(name)) return { id: Number(name), owner: null, permalink: null };
  const [, owner, permalink] = PERMALINKS.exec(name) ?? [];
  return owner && permalink ? { id: null, owner, permalink } : undefined;
}
