import type { Words } from "./schema.ts";
import { ADDRESS_WORDS } from "./words-addresses.ts";
import { PEOPLE_WORDS } from "./words-people.ts";
import { SERVICE_WORDS } from "./words-service.ts";
import { TRACK_WORDS } from "./words-tracks.ts";

/** A field has words in one of them alone: the last would hide those before. */
export const WORD_LISTS: Words[] = [TRACK_WORDS, PEOPLE_WORDS, SERVICE_WORDS, ADDRESS_WORDS];

const WORDS: Words = Object.assign({}, ...WORD_LISTS);

/**
 * `owner` is the schema or operation, `name` the field's, perhaps as in forms: `track[title]`. `kind` is what a representation
 * calls itself, which tells those without a schema of their own apart.
 */
export function wordsOf(owner: string, name: string, kind?: unknown): Words[string] {
  const bare = /\[(\w+)\]$/.exec(name)?.[1] ?? name;
  const general = Object.hasOwn(WORDS, bare) ? WORDS[bare] : undefined;
  return WORDS[`${owner}.${bare}`] ?? WORDS[`${kind}.${bare}`] ?? general ?? ["", undefined];
}
