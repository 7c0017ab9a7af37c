import type { Context } from "hono";
import {
  type Following,
  type FollowRefusal,
  findFollowing,
  follow,
  unfollow,
} from "../../../db/queries/users.ts";
import type { TokenEnv, UserEnv } from "../../lib/http/env.ts";
import { forbidden, invalid, notFound } from "../../lib/http/errors.ts";
import { budgetOf, settleBudget } from "../../lib/http/limits/budgets.ts";
import { statusBody, UNCHANGED } from "../../lib/http/status.ts";
import { representUser, type User } from "../users/representation.ts";

/** Limit of users that one user may follow. */
const MAX_FOLLOWINGS = 2_000;

const REFUSALS: Record<FollowRefusal, () => never> = {
  not_yours: () => forbidden("Users can change only their own followings"),
  oneself: () => invalid("You cannot follow yourself"),
  unknown: () => notFound("User"),
  too_many: () => invalid(`You can follow ${MAX_FOLLOWINGS} people at most`),
};

export async function findOther(
  c: Context<TokenEnv> | Context<UserEnv>,
  following: Following,
  asked: keyof Following,
): Promise<User> {
  const user = await findFollowing(c.var.db, c.var.viewer, following, asked);
  return representUser(user ?? notFound(asked === "followee" ? "Following" : "Follower"), c.env);
}

export async function beginFollowing(c: Context<UserEnv>, following: Following) {
  const budget = budgetOf(c.env, "follows");
  const asked = await follow(c.var.db, c.var.viewer, following, MAX_FOLLOWINGS, budget);
  const settled = settleBudget(c, "follows", asked);
  if (settled.outcome === "stood") return c.json(UNCHANGED);
  if (settled.outcome === "made") return c.json(representUser(settled.user ?? notFound("User"), c.env), 201);
  return REFUSALS[settled.outcome]();
}

export async function endFollowing(c: Context<UserEnv>, following: Following) {
  const { outcome } = await unfollow(c.var.db, c.var.viewer, following);
  return outcome === "gone" ? c.json(statusBody(200)) : REFUSALS[outcome]();
}
