import * as z from "zod";
import { about } from "../../lib/text/fields.ts";
import type { Me } from "./representation-me.ts";

/** Claims of OpenID Connect Core §5.1, as far as they are public. */
export const UserInfo = z
  .strictObject({
    sub: z
      .string()
      .meta(
        about("`u:` and the user's id; `c:` and the client id for an app's own token.", "u:338914811904777"),
      ),
    name: z.string().meta(about("The full name, or else the username.", "Ana Torres")),
    preferred_username: z.string().meta(about("The username.", "ana")),
    profile: z.url().meta(about("The user's page.", "https://soundpost.example/ana")),
    picture: z
      .url()
      .meta(about("The avatar.", "https://api.soundpost.example/images/avatar-default-large.jpg")),
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
