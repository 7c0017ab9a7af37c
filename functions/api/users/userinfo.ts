import * as z from "zod";
import type { Me } from "./representation-me.ts";

/** Claims of OpenID Connect Core §5.1, as far as they are public. */
export const UserInfo = z
  .strictObject({
    sub: z.string(),
    name: z.string(),
    preferred_username: z.string(),
    profile: z.url(),
    picture: z.url(),
  })
  .meta({ id: "UserInfo" });
export type UserInfo = z.infer<typeof UserInfo>;

export const representUserInfo = (me: Me): UserInfo => ({
  sub: `u:${me.id}`,
  name: me.full_name || me.username,
  preferred_username: me.username,
  profile: me.permalink_url,
  picture: me.avatar_url,
});
