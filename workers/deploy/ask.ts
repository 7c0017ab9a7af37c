import { createInterface } from "node:readline/promises";
import { readUnseen } from "../unseen.ts";
import { Refused } from "./wrangler.ts";

/** Takes a value from the environment, or asks the operator for it. What is `unseen` is not shown as it is typed. */
export type Ask = (name: string, question: string, how?: { unseen: boolean }) => Promise<string>;

export const ACCOUNT_QUESTION = "The id of your Cloudflare account";

export const askOperator: Ask = async (name, question, how) => {
  const given = process.env[name];
  if (given) return given;
  if (!process.stdin.isTTY) throw new Refused(`${name} is not set: ${question}`);
  const prompt = `${question}\n${name}: `;
  const answer = (await (how?.unseen ? readUnseen(prompt) : readSeen(prompt)))?.trim();
  if (!answer) throw new Refused(`${name} is needed: ${question}`);
  return answer;
};

async function readSeen(prompt: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(prompt);
  } finally {
    lines.close();
  }
}
