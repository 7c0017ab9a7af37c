import { Sha256 } from "@aws-crypto/sha256-js";

/**
 * Solves the puzzle of a form, apart from the page so that typing stays smooth. Not by `crypto.subtle`, which is missing
 * on a server without TLS and takes a promise for each hash.
 */

const encoder = new TextEncoder();

function isBelow(text: string, bound: number): boolean {
  const hash = new Sha256();
  hash.update(encoder.encode(text));
  return new DataView(hash.digestSync().buffer).getUint32(0) < bound;
}

function answerTo(question: string, bound: number): number {
  let answer = 0;
  while (!isBelow(`${question}.${answer}`, bound)) answer += 1;
  return answer;
}

addEventListener("message", ({ data: { task, parts, bound } }) => {
  const answers = Array.from({ length: parts }, (_, part) => answerTo(`${task}.${part}`, bound));
  postMessage(answers.join("."));
});
