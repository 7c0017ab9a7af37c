import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";

export type Input = NodeJS.ReadableStream & Partial<Pick<ReadStream, "isTTY">>;

/**
 * Reads a line of standard input, `undefined` if none comes. On a terminal it asks, and what is typed is not shown: it is a
 * password or a token.
 */
export async function readUnseen(prompt: string, input: Input = process.stdin): Promise<string | undefined> {
  const isTyped = input.isTTY === true;
  const unseen = new Writable({ write: (_text, _encoding, done) => done() });
  // Before the prompt, because whoever answers at once would see the answer.
  const lines = createInterface({ input, output: unseen, terminal: isTyped });
  if (isTyped) process.stderr.write(prompt);
  try {
    for await (const line of lines) if (line) return line;
    return undefined;
  } finally {
    lines.close();
    if (isTyped) process.stderr.write("\n");
  }
}
