import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import { UsageError } from "./arguments.ts";

type Input = NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;

/** Reads a line of standard input. On a terminal it asks, and what is typed is not shown. */
export async function readSecret(name: string, input: Input = process.stdin): Promise<string> {
  const isTyped = input.isTTY === true;
  if (isTyped) process.stderr.write(`${name}: `);
  const unseen = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: isTyped });
  try {
    for await (const line of lines) if (line) return line;
    throw new UsageError(`No ${name} came by standard input`);
  } finally {
    lines.close();
    if (isTyped) process.stderr.write("\n");
  }
}
