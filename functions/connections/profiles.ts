import * as z from "zod";
import { nameText } from "../text/fields.ts";

/** As many as one service may show of one person. */
const MAX_PROFILES = 200;

/** Unusable names are as none: they are shown, never acted upon. */
const Name = nameText(200).min(1).optional().catch(undefined);

const Profile = z.object({
  id: z.union([z.string().regex(/^[\x21-\x7e]{1,128}$/), z.int().min(0).transform(String)]),
  name: Name,
  username: Name,
  /** Pages have their own. */
  access_token: z.string().min(1).optional(),
});
export type Profile = z.output<typeof Profile>;

const Several = z.array(Profile).max(MAX_PROFILES);

/** One or several, bare or as `data`: what the services of this kind have in common. Throws for anything else. */
export function profilesIn(reply: unknown): Profile[] {
  const bare = z.object({ data: z.unknown() }).safeParse(reply).data?.data ?? reply;
  return Array.isArray(bare) ? Several.parse(bare) : [Profile.parse(bare)];
}

export const displayName = ({ id, name, username }: Profile): string => name ?? username ?? id;
