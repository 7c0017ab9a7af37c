import { type Input, readUnseen } from "../unseen.ts";
import { UsageError } from "./arguments.ts";

/** Reads a line of standard input, which on a terminal is not shown. */
export async function readSecret(name: string, input?: Input): Promise<string> {
  const line = await readUnseen(`${name}: `, input);
  if (line === undefined) throw new UsageError(`No ${name} came by standard input`);
  return line;
}
