import type { Env } from "./env.ts";

/** Longer than a weekend, so that somebody notices a loss in time. */
const DELETED_OBJECTS_DAYS = 7;

/** Days for which files stay in storage after their rows, so that a database restored to then finds them. */
export const deletedObjectsDays = ({
  DELETED_OBJECTS_DAYS: given,
}: Pick<Env, "DELETED_OBJECTS_DAYS">): number =>
  given && /^\d{1,3}$/.test(given) ? Number(given) : DELETED_OBJECTS_DAYS;
