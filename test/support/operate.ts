import { readArguments } from "../../workers/admin/arguments.ts";
import { commands } from "../../workers/admin/commands.ts";
import { incidentCommands } from "../../workers/admin/incident-commands.ts";
import { invitationCommands } from "../../workers/admin/invitation-commands.ts";
import { moderationCommands } from "../../workers/admin/moderation-commands.ts";
import { operatorCommands } from "../../workers/admin/operator-commands.ts";
import { quotaCommands } from "../../workers/admin/quota-commands.ts";
import { removalCommands } from "../../workers/admin/removal-commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { stack } from "./stack.ts";

const target = stackTarget(stack);

/** Runs a command on this stack, as `npm run admin` does. */
export async function operate<Reply extends Record<string, unknown>>(
  command: string,
  ...args: string[]
): Promise<Reply> {
  const run = {
    ...commands,
    ...incidentCommands,
    ...invitationCommands,
    ...moderationCommands,
    ...operatorCommands,
    ...quotaCommands,
    ...removalCommands,
  }[command];
  if (!run) throw new Error(`no such command: ${command}`);
  return (await run(target, readArguments(args))) as Reply;
}
