import { hash } from "node:crypto";
import type { Context } from "hono";
import * as z from "zod";
import type { Format } from "./format/negotiate.ts";
import { REVALIDATED, resourceReply } from "./resource-reply.ts";

/** Documents a GET of one resource that replies with `taggedReply`. */
export const IF_NONE_MATCH = z.object({
  "If-None-Match": z.string().optional().describe("ETags of the client's copies. 304: one still matches."),
});

/**
 * JSON with its ETags. A tag hashes the reply, so it differs by viewer and by counters. For `If-Match` it
 * starts with the time of the last write.
 */
export class TaggedText {
  readonly json: string;
  readonly #updatedAt: string | undefined;

  constructor(json: string, updatedAt?: string) {
    this.json = json;
    this.#updatedAt = updatedAt;
  }

  /** XML and JSONP are rendered from the same JSON, but are other representations. */
  tag(format: Format): string {
    const version = this.#updatedAt === undefined ? "" : `${microsecondsOf(this.#updatedAt).toString(36)}.`;
    const digest = hash("sha256", format + this.json, "base64url").slice(0, 16);
    return `"${version}${digest}"`;
  }
}

/** Replies with the resource and its ETag, or with 304 to a client that has it. RFC 9110 §13 */
export const taggedReply = (c: Context, value: unknown, updatedAt?: string): Response =>
  replyTagged(c, new TaggedText(JSON.stringify(value), updatedAt));

/** The same for text that is JSON already. */
export function replyTagged(c: Context, text: TaggedText): Response {
  const tag = text.tag(c.get("requestedFormat")?.format ?? "json");
  if (clientHas(c, tag))
    return new Response(null, { status: 304, headers: { ETag: tag, "Cache-Control": REVALIDATED } });
  const reply = resourceReply(c, text.json);
  reply.headers.set("ETag", tag);
  return reply;
}

/** Whether the client has the reply of this tag. Weak tags are equal to strong ones. RFC 9110 §13.1.2 */
export function clientHas(c: Context, tag: string): boolean {
  const ifNoneMatch = c.req.header("If-None-Match");
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === "*" ||
      tagsIn(ifNoneMatch).some(({ opaque }) => opaque === tag.replace(/^W\//, "")))
  );
}

/**
 * Documents a PUT or DELETE whose statement takes `expectedVersions` and refuses if another change came
 * first.
 */
export const IF_MATCH = z.object({
  "If-Match": z
    .string()
    .optional()
    .describe(
      "ETag of the client's copy. 412: the resource was changed since. Changes of counters do not count.",
    ),
});

/**
 * Values of `updated_at` that `If-Match` allows; null allows any. Only this part of a tag is compared. Plays
 * and comments change the rest, which would make a popular track impossible to edit.
 */
export function expectedVersions(c: Context): string[] | null {
  const sent = c.req.header("If-Match");
  if (sent === undefined || sent.trim() === "*") return null;
  return tagsIn(sent).flatMap(({ weak, opaque }) => {
    const version = /^"([0-9a-z]{8,11})\./.exec(opaque)?.[1];
    return weak || version === undefined ? [] : [instantOf(Number.parseInt(version, 36))];
  });
}

interface EntityTag {
  weak: boolean;
  /** Quotes included. */
  opaque: string;
}

/** A malformed tag matches nothing. */
const tagsIn = (list: string): EntityTag[] =>
  [...list.matchAll(/(W\/)?("[!#-~\u0080-\u00ff]*")/g)].map(([, weak, opaque = ""]) => ({
    weak: weak !== undefined,
    opaque,
  }));

/** Timestamps from `Date` have milliseconds, PostgreSQL's have microseconds. */
const microsecondsOf = (updatedAt: string): number => {
  const digits = /\.(\d+)/.exec(updatedAt)?.[1] ?? "";
  return Date.parse(updatedAt) * 1000 + Number(digits.padEnd(6, "0").slice(3, 6));
};

const instantOf = (microseconds: number): string => {
  const [seconds] = new Date(microseconds / 1000).toISOString().split(".");
  return `${seconds}.${String(microseconds % 1_000_000).padStart(6, "0")}Z`;
};
