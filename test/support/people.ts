import { randomBytes } from "node:crypto";
import { hashPassword } from "../../functions/lib/security/password.ts";
import { readArguments } from "../../workers/admin/arguments.ts";
import { commands } from "../../workers/admin/commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { CHEAP_PASSWORDS } from "./cheap-passwords.ts";
import { sql, stack } from "./stack.ts";

export interface App {
  id: number;
  client_id: string;
  client_secret: string;
}

export interface Person {
  id: number;
  username: string;
  token: string;
  app: App;
}

const operator = stackTarget(stack);

/** Ids of the users that the current test file created. */
export const createdUserIds: number[] = [];

/** Clears the state of the previous test file, because files of one worker share their modules. */
export function forgetPeople(): void {
  createdUserIds.length = 0;
  sharedApp = undefined;
}

/** Runs an operator's command like `npm run admin`. */
async function run<Result>(command: string, ...args: string[]): Promise<Result> {
  return (await commands[command]?.(operator, readArguments(args))) as Result;
}

let sharedApp: Promise<App> | undefined;

const anyApp = () => (sharedApp ??= createApp());

interface NewPerson {
  plan?: string;
  app?: App;
}

let hash: Promise<string> | undefined;

/** Creates a user with a password and a token. All have the same password and hash. */
export async function createUserWithPassword(given: NewPerson = {}): Promise<Person> {
  hash ??= hashPassword("correct horse battery", CHEAP_PASSWORDS);
  return createPerson(given, await hash);
}

/** Creates a user with a token but no password. */
export const createUser = (given: NewPerson = {}): Promise<Person> => createPerson(given, "");

async function createPerson({ plan = "free", app }: NewPerson, passwordHash: string): Promise<Person> {
  const username = `u${randomBytes(6).toString("hex")}`;
  const id = await insertUser(username, plan, passwordHash);
  const granted = app ?? (await anyApp());
  createdUserIds.push(id);
  return { id, username, app: granted, token: await tokenOf(granted, username) };
}

async function insertUser(username: string, plan: string, passwordHash: string): Promise<number> {
  const [made] = await sql<{ id: number }>(
    `with made as (insert into users (username, permalink, plan) values ($1, $1, $2) returning id), account as (
       insert into accounts (user_id, email, password_hash, confirmed_at) select id, $3, $4, now() from made)
     select id::float8 as id from made`,
    [username, plan, `${username}@example.com`, passwordHash],
  );
  return made?.id ?? 0;
}

export async function createApp(redirectUri = "http://127.0.0.1/cb"): Promise<App> {
  const username = `o${randomBytes(6).toString("hex")}`;
  await insertUser(username, "artist", "");
  const named = ["--owner", username, "--name", `App ${username}`];
  return run<App>("app create", ...named, "--redirect-uri", redirectUri);
}

/** A token of the user, or without one the app's own. */
export async function tokenOf(app: App, username?: string): Promise<string> {
  const user = username === undefined ? [] : ["--user", username];
  const { access_token } = await run<{ access_token: string }>(
    "token create",
    "--app",
    app.client_id,
    ...user,
  );
  return access_token;
}

/** An app's own token, without a user. */
export const createAppToken = async () => ({ token: await tokenOf(await anyApp()) });
