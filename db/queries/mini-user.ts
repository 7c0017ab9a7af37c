import { users } from "../schema/people.ts";
import { moment } from "./caller.ts";

/** Columns of the user whom another resource names. */
export const miniUser = {
  id: users.id,
  permalink: users.permalink,
  username: users.username,
  avatar_version: users.avatarVersion,
  updated_at: moment<string>(users.updatedAt),
};
