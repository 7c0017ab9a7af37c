import { alias, type BuildAliasTable } from "drizzle-orm/pg-core";
import { users } from "../schema/people.ts";
import { moment } from "./caller.ts";

type Named = "id" | "permalink" | "username" | "avatarVersion" | "updatedAt";

/** Columns of a user as part of another resource. The id comes first: it is null if a left join finds nobody. */
export const miniOf = <Name extends string>(of: Pick<BuildAliasTable<typeof users, Name>, Named>) => ({
  id: of.id,
  permalink: of.permalink,
  username: of.username,
  avatar_version: of.avatarVersion,
  updated_at: moment<string>(of.updatedAt),
});

export const miniUser = miniOf(users);

/** The label of a track or playlist. A left join leaves it out if the label's user has left. */
export const label = alias(users, "label");
export const miniLabel = miniOf(label);

/** The user who reposted, or whose action is reported. */
export const actor = alias(users, "actor");
export const miniActor = miniOf(actor);
