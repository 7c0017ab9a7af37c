import { restoreSnapshot, takeSnapshot } from "../../db/queries/sandbox.ts";
import { UsageError } from "./arguments.ts";
import type { Commands, Target } from "./commands.ts";

const REFUSALS = {
  no_sandbox:
    "This is no sandbox: its Worker needs SANDBOX=on, and its database a row in sandbox.marker, which the owner inserts",
  no_snapshot: "There is no snapshot yet: see sandbox snapshot",
  encoding: "Tracks are being encoded, and every reset would repeat that: try again when they are finished",
  busy: "A snapshot is being taken or restored at this moment",
};

export const sandboxCommands: Commands = {
  "sandbox snapshot": (target) => runOnSandbox(target, takeSnapshot),
  "sandbox restore": (target) => runOnSandbox(target, restoreSnapshot),
};

async function runOnSandbox<Reply extends { outcome: string }>(
  { db, sandbox }: Target,
  act: (database: Target["db"]) => Promise<Reply | { outcome: keyof typeof REFUSALS }>,
): Promise<Record<string, unknown>> {
  const { outcome, ...reply } = sandbox ? await act(db) : { outcome: "no_sandbox" };
  if (outcome in REFUSALS) throw new UsageError(REFUSALS[outcome as keyof typeof REFUSALS]);
  return reply;
}
