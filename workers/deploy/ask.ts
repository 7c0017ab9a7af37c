import { createInterface } from "node:readline/promises";
import { Refused } from "./wrangler.ts";

/** Takes a value from the environment, or asks the operator for it. */
export type Ask = (name: string, question: string) => Promise<string>;

export const askOperator: Ask = async (name, question) => {
  const given = process.env[name];
  if (given) return given;
  if (!process.stdin.isTTY) throw new Refused(`${name} is not set: ${question}`);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = (await lines.question(`${question}\n${name}: `)).trim();
    if (!answer) throw new Refused(`${name} is needed: ${question}`);
    return answer;
  } finally {
    lines.close();
  }
};
