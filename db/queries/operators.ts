import { sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import type { NewName } from "./accounts.ts";

/** Commands of operators, each one statement. */

export interface NewUser extends NewName {
  email: string;
  passwordHash: string;
  plan: string;
  confirmed: boolean;
}

/** Creates profile and account. A name or address that is taken raises 23505. */
export async function createUser(db: Database, user: NewUser): Promise<number | undefined> {
  const [row] = await db.execute<{ id: number }>(sql`
    with made as (
      insert into users (username, username_key, look_alike_key, permalink, plan)
      values (${user.username}, ${user.username_key}, ${user.look_alike_key}, free_permalink(${user.permalink}, ${user.spare}), ${user.plan})
      returning id
    ), account as (
      insert into accounts (user_id, email, password_hash, confirmed_at)
      select id, ${user.email}, ${user.passwordHash}, case when ${user.confirmed}::boolean then now() end from made)
    select id::float8 as id from made`);
  return row?.id;
}

/** A user as operators name one: by permalink or username. */
export interface NamedUser {
  permalink: string;
  usernameKey: string;
}

/** Finds the user by permalink first, then by username. */
const idOf = (user: NamedUser) => sql`(
  select u.id from users u where lower(u.permalink) = ${user.permalink} or u.username_key = ${user.usernameKey}
  order by lower(u.permalink) = ${user.permalink} desc limit 1)`;

export async function setPlan(db: Database, user: NamedUser, plan: string) {
  const [row] = await db.execute<{ id: number; username: string; email: string; plan: string }>(sql`
    update users u set plan = ${plan}, updated_at = now() from accounts a
    where u.id = ${idOf(user)} and a.user_id = u.id
    returning u.id::float8 as id, u.username, a.email, u.plan`);
  return row;
}

export interface NewApp {
  owner: NamedUser;
  clientId: string;
  secretHash: string;
  name: string;
  permalink: string;
  redirectUris: string[];
  externalUrl: string | null;
}

/** `undefined` if the owner does not exist. `plan` lets the caller refuse a free plan. */
export async function createApp(db: Database, app: NewApp) {
  const [row] = await db.execute<{ id: number | null; plan: string }>(sql`
    with owner as (select id, plan from users where id = ${idOf(app.owner)}
    ), made as (
      insert into apps (client_id, secret_hash, owner_id, name, permalink, external_url, redirect_uris)
      select ${app.clientId}, ${app.secretHash}, id, ${app.name}, ${app.permalink}, ${app.externalUrl}, array(select jsonb_array_elements_text(${JSON.stringify(app.redirectUris)}::jsonb))
      from owner where plan <> 'free' returning id)
    select (select id from made)::float8 as id, plan from owner`);
  return row;
}

export interface NewGrant {
  clientId: string;
  user: NamedUser | null;
  refreshHash: string;
  sessionTtlS: number;
  refreshTtlS: number;
}

/** Creates a session with its first refresh token. Fields are null if the app or user does not exist. */
export async function createGrant(db: Database, grant: NewGrant) {
  const [row] = await db.execute<{ session: number | null; app: number | null; user: number | null }>(sql`
    with app as (select id from apps where client_id = ${grant.clientId} and disabled_at is null
    ), owner as (select id from users where id = ${grant.user && idOf(grant.user)} and disabled_at is null
    ), session as (
      insert into sessions (app_id, user_id, expires_at)
      select app.id, (select id from owner), now() + make_interval(secs => ${grant.sessionTtlS}) from app
      where ${grant.user === null} or exists (select from owner)
      returning id
    ), refresh as (
      insert into refresh_tokens (hash, session_id, expires_at)
      select ${grant.refreshHash}, id, now() + make_interval(secs => ${grant.refreshTtlS}) from session)
    select (select id from session)::float8 as session, (select id from app)::float8 as app,
      (select id from owner)::float8 as user`);
  return row;
}
