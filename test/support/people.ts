import { randomBytes } from "node:crypto";
import { readArguments } from "../../workers/admin/arguments.ts";
import { commands } from "../../workers/admin/commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
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

const identityOf = (username: string) => [
  ...["--username", username, "--email", `${username}@example.com`],
  ...["--password", "correct horse battery"],
];

/** Creates a user with a password and a token. */
export async function createUserWithPassword({
  plan = "free",
  app,
}: {
  plan?: string;
  app?: App;
} = {}): Promise<Person> {
  const username = `u${randomBytes(6).toString("hex")}`;
  const { id } = await run<{ id: number }>(
    "user create",
    ...identityOf(username),
    "--plan",
    plan,
    "--confirmed",
  );
  const granted = app ?? (await anyApp());
  createdUserIds.push(id);
  return { id, username, app: granted, token: await tokenOf(granted, username) };
}

/** Creates a user with a token but no password, because hashing one takes longer than most tests. */
export async function createUser({ plan = "free", app }: { plan?: string; app?: App } = {}): Promise<Person> {
  const username = `u${randomBytes(6).toString("hex")}`;
  const [made] = await sql<{ id: number }>(
    `with made as (insert into users (username, permalink, plan) values ($1, $1, $2) returning id), account as (
       insert into accounts (user_id, email, password_hash, confirmed_at) select id, $3, '', now() from made)
     select id::float8 as id from made`,
    [username, plan, `${username}@example.com`],
  );
  const granted = app ?? (await anyApp());
  createdUserIds.push(made?.id ?? 0);
  return { id: made?.id ?? 0, username, app: granted, token: await tokenOf(granted, username) };
}

export async function createApp(): Promise<App> {
  const username = `o${randomBytes(6).toString("hex")}`;
  await run("user create", ...identityOf(username), "--plan", "artist");
  return run<App>(
    "app create",
    "--owner",
    username,
    "--name",
    `App ${username}`,
    "--redirect-uri",
    "http://127.0.0.1/cb",
  );
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
