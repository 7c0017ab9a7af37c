import { readArguments, refuseUnread, USAGE, UsageError, usageOf } from "./arguments.ts";
import { fileCommands } from "./backup/backup-commands.ts";
import { commands } from "./commands.ts";
import { databaseCommands } from "./database/database-commands.ts";
import { deprecationCommands } from "./deprecation-commands.ts";
import { explained } from "./failures.ts";
import { incidentCommands } from "./incident-commands.ts";
import { invitationCommands } from "./invitation-commands.ts";
import { mailCommands } from "./mail-commands.ts";
import { moderationCommands } from "./moderation-commands.ts";
import { operationCommands } from "./operation-commands.ts";
import { operatorCommands } from "./operator-commands.ts";
import { quotaCommands } from "./quota-commands.ts";
import { readable } from "./readable.ts";
import { removalCommands } from "./removal-commands.ts";
import { sandboxCommands } from "./sandbox-commands.ts";
import { serverCommands } from "./server/server-commands.ts";
import { openTarget } from "./target.ts";

const ALL = {
  ...commands,
  ...deprecationCommands,
  ...incidentCommands,
  ...invitationCommands,
  ...mailCommands,
  ...moderationCommands,
  ...operationCommands,
  ...operatorCommands,
  ...quotaCommands,
  ...removalCommands,
  ...sandboxCommands,
};

/** Runs `npm run -s admin -- …`. Scripts rely on the commands and their replies. */
async function main(args: string[]): Promise<void> {
  const given = readArguments(args);
  if (given.flag("help")) return void process.stdout.write(`${usageOf(given.command)}\n`);
  const print = (reply: Record<string, unknown>) =>
    process.stdout.write(given.flag("json") ? `${JSON.stringify(reply)}\n` : readable(reply));
  const ofServer = serverCommands[given.command];
  const onFiles = fileCommands[given.command] ?? databaseCommands[given.command];
  if (ofServer || onFiles) refuseUnread(given);
  if (ofServer) {
    const { json, text, failed = false } = await ofServer(given);
    process.stdout.write(given.flag("json") ? `${JSON.stringify(json)}\n` : text);
    process.exitCode = failed ? 1 : 0;
    return;
  }
  if (onFiles) return void print(await onFiles(given));
  const command = ALL[given.command];
  if (!command)
    throw new UsageError(
      given.command ? `No such command: ${given.command}\n\n${usageOf(given.command)}` : USAGE,
    );
  refuseUnread(given, ["reason"]);
  const target = await openTarget(given.option("env"));
  try {
    print(await command(target, given));
  } finally {
    await target.close();
  }
}

// The reader of a list, such as `head`, may leave before its end.
process.stdout.on("error", () => {});

main(process.argv.slice(2)).catch((error: unknown) => {
  const { words, code } = explained(error);
  process.stderr.write(`${words}\n`);
  process.exitCode = code;
});
