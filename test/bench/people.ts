import { randomBytes } from "node:crypto";
import { readArguments } from "../../workers/admin/arguments.ts";
import { commands } from "../../workers/admin/commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { type ApiCall, apiClient } from "../../workers/local/demo/upload.ts";
import type { BenchStack } from "./stack.ts";

/** Milliseconds. Half a token's life, because a long encode outlives a token. */
const TOKEN_USED_MS = 30 * 60_000;

export interface Person {
  call: ApiCall;
  token(): Promise<string>;
}

/** Creates a user of the largest plan, with an app to sign in to. */
export async function createPerson(
  stack: Pick<BenchStack, "urls" | "appDatabaseUrl" | "proxyUrl" | "secrets">,
): Promise<Person> {
  const target = stackTarget(stack);
  const run = async (command: string, ...args: string[]) =>
    (await commands[command]?.(target, readArguments(args))) ?? {};

  const username = `b${randomBytes(6).toString("hex")}`;
  const account = ["--username", username, "--email", `${username}@example.com`];
  await run("user create", ...account, "--password", "correct horse", "--plan", "artist-pro", "--confirmed");
  const redirect = ["--redirect-uri", "http://127.0.0.1/callback"];
  const app = await run("app create", "--owner", username, "--name", "Bench", ...redirect);

  let issued = { token: "", atMs: Number.NEGATIVE_INFINITY };
  const token = async () => {
    if (Date.now() - issued.atMs > TOKEN_USED_MS) {
      const reply = await run("token create", "--app", String(app.client_id), "--user", username);
      issued = { token: String(reply.access_token), atMs: Date.now() };
    }
    return issued.token;
  };
  return { token, call: async (...asked) => apiClient(stack.urls.api, await token())(...asked) };
}
