import * as z from "zod";
import { nameText } from "../../lib/text/fields.ts";

/** Limit of profiles that one service may return for one user. */
const MAX_PROFILES = 200;

/** An invalid name counts as missing, because names are only displayed. */
const Name = nameText(200).min(1).optional().catch(undefined);

const Profile = z.object({
  id: z.union([z.string().regex(/^[\x21-\x7e]{1,128}$/), z.int().min(0).transform(String)]),
  name: Name,
  username: Name,
  /** Pages have their own token. */
  access_token: z.string().min(1).optional(),
});
export type Profile = z.output<typeof Profile>;

const Several = z.array(Profile).max(MAX_PROFILES);

/**
 * Parses one or several profiles, bare or under `data`: the common ground of such services. Throws for
 * anything else.
 */
export function profilesIn(reply: unknown): Profile[] {
  const bare = z.object({ data: z.unknown() }).safeParse(reply).data?.data ?? reply;
  return Array.isArray(bare) ? Several.parse(bare) : [Profile.parse(bare)];
}

export const displayName = ({ id, name, username }: Profile): string => name ?? username ?? id;
