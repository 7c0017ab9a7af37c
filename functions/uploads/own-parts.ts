import type { UploadedPart } from "../../db/objects/port.ts";
import { conflict, invalid } from "../http/errors.ts";
import { MIN_PART_BYTES } from "./limits.ts";

export type SentPart = { number: number; etag: string };

/** Missing or wrong parts that an error names. */
const MAX_NAMED = 20;

/** Checks parts, in order, whose sizes the client chose: all stand in storage and make up the announced file. */
export function requireOwnParts(
  { size }: { size: number },
  sent: readonly SentPart[],
  stored: readonly UploadedPart[],
): void {
  const numbers = new Set(sent.map(({ number }) => number));
  if (numbers.size !== sent.length) invalid("parts: a number appears twice");
  const found = new Map(stored.map((part) => [part.number, part]));
  const all = Array.from({ length: sent.at(-1)?.number ?? 1 }, (_, index) => index + 1);
  refuseParts(
    "Parts are missing",
    all.filter((number) => !numbers.has(number) || !found.has(number)),
  );
  refuseParts(
    "Parts do not match the stored ones",
    sent
      .filter(({ number, etag }) => unquoted(found.get(number)?.etag ?? "") !== unquoted(etag))
      .map(numberOf),
  );
  const sizes = all.map((number) => found.get(number)?.size ?? 0);
  const isEven = sizes.slice(0, -1).every((bytes) => bytes >= MIN_PART_BYTES && bytes === sizes[0]);
  if (!isEven) conflict("All parts but the last must have one size, of 5 MiB or more");
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  if (bytes !== size) conflict(`The parts hold ${bytes} bytes, not the announced ${size}`);
}

function refuseParts(problem: string, numbers: number[]): void {
  if (numbers.length) conflict(`${problem}: ${numbers.slice(0, MAX_NAMED).join(", ")}`);
}

const numberOf = ({ number }: SentPart) => number;

export const unquoted = (etag: string) => etag.replaceAll('"', "");
