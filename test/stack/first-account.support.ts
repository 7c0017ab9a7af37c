import { readArguments } from "../../workers/admin/arguments.ts";
import { commands } from "../../workers/admin/commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import type { Stack } from "../../workers/local/stack/stack.ts";

/** Runs an operator's command on a test's own stack. */
const operateOn = async (stack: Stack, command: string, ...args: string[]) =>
  (await commands[command]?.(stackTarget(stack), readArguments(args))) as Record<string, string>;

/** Returns a new token of `ana` for an app. */
export async function tokenThrough(stack: Stack, app: string): Promise<string> {
  const { access_token = "" } = await operateOn(stack, "token create", "--app", app, "--user", "ana");
  return access_token;
}

/** Makes the user `ana`, an app of hers, and a token for it. */
export async function makeFirstAccount(stack: Stack): Promise<{ app: string; token: string }> {
  const account = ["--username", "ana", "--email", "ana@example.com", "--password", "correct horse battery"];
  await operateOn(stack, "user create", ...account, "--plan", "artist", "--confirmed");
  const details = ["--owner", "ana", "--name", "A", "--redirect-uri", "http://127.0.0.1/cb"];
  const { client_id: app = "" } = await operateOn(stack, "app create", ...details);
  return { app, token: await tokenThrough(stack, app) };
}
