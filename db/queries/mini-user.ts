import { alias } from "drizzle-orm/pg-core";
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

/** The label of a track or playlist. A left join leaves it out if the label's user has left. */
export const label = alias(users, "label");

export const miniLabel = {
  id: label.id,
  permalink: label.permalink,
  username: label.username,
  avatar_version: label.avatarVersion,
  updated_at: moment<string>(label.updatedAt),
};

/** The user who reposted, or of whose act somebody hears. */
export const actor = alias(users, "actor");

export const miniActor = {
  id: actor.id,
  permalink: actor.permalink,
  username: actor.username,
  avatar_version: actor.avatarVersion,
  updated_at: moment<string>(actor.updatedAt),
};
