import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { documented } from "./contract.ts";
import type { AppEnv } from "./env.ts";
import { ErrorBody } from "./errors.ts";
import { fingerprint } from "./fingerprint.ts";

declare module "hono" {
  interface ContextVariableMap {
    tagged: boolean | undefined;
    version: string | undefined;
  }
}

/**
 * A browser keeps its copy and asks each time whether it still holds. `no-transform`, because a network that compresses
 * on its way makes tags weak, and a weak one never fits `If-Match`.
 */
const REVALIDATED = "private, max-age=0, must-revalidate, no-transform";

/** On a GET of one resource: its reply carries an ETag, and is 304 for whom has that one. RFC 9110 §13 */
export const tagged = documented(
  createMiddleware<AppEnv>(async (c, next) => {
    c.set("tagged", true);
    await next();
  }),
  {
    headers: z.object({
      "If-None-Match": z
        .string()
        .optional()
        .describe("ETags of what the client holds: 304 where one still fits."),
    }),
    responses: { 304: "" },
  },
);

/** On a PUT: with `expectedVersions`, the statement itself refuses where another change came first. */
export const guarded = documented(
  createMiddleware<AppEnv>((_c, next) => next()),
  {
    headers: z.object({
      "If-Match": z
        .string()
        .optional()
        .describe(
          "ETag of what the client has seen: 412 where another change came since. Counters are no change.",
        ),
    }),
    responses: { 412: ErrorBody },
  },
);

/** Outside of what gives replies their format: each of a resource's representations has a tag of its own. */
export const etags = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  if (!c.get("tagged") || c.res.status !== 200) return;
  const text = await c.res.text();
  const headers = new Headers(c.res.headers);
  const tag = `"${versionPart(c.get("version"))}${fingerprint(text)}"`;
  headers.set("ETag", tag);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", REVALIDATED);
  const held = c.req.header("If-None-Match");
  const fresh =
    held !== undefined && (held.trim() === "*" || tagsIn(held).some(({ opaque }) => opaque === tag));
  // Assigned in two steps, for Hono merges the headers of the reply that was into the one that comes.
  c.res = undefined;
  if (!fresh) c.res = new Response(text, { headers });
  else {
    headers.delete("Content-Type");
    c.res = new Response(null, { status: 304, headers });
  }
});

/** When the resource was last written, as the database tells it. Stands in its ETag, where `If-Match` brings it back. */
export const versioned = (c: Context, updatedAt: string) => c.set("version", updatedAt);

/**
 * What `If-Match` allows the resource's `updated_at` to be; null where anything. Only this part of a tag is compared: the
 * rest changes with every play and comment, and would make a track that is listened to impossible to edit.
 */
export function expectedVersions(c: Context): string[] | null {
  const sent = c.req.header("If-Match");
  if (sent === undefined || sent.trim() === "*") return null;
  return tagsIn(sent).flatMap(({ weak, opaque }) => {
    const version = /^"([0-9a-z]{8,11})-/.exec(opaque)?.[1];
    return weak || version === undefined ? [] : [instantOf(Number.parseInt(version, 36))];
  });
}

interface EntityTag {
  weak: boolean;
  /** With its quotes. */
  opaque: string;
}

/** What is no tag fits nothing. */
const tagsIn = (list: string): EntityTag[] =>
  [...list.matchAll(/(W\/)?("[!#-~\u0080-\u00ff]*")/g)].map(([, weak, opaque = ""]) => ({
    weak: weak !== undefined,
    opaque,
  }));

const versionPart = (updatedAt: string | undefined) =>
  updatedAt === undefined ? "" : `${microsecondsOf(updatedAt).toString(36)}-`;

/** Of `Date` a timestamp has milliseconds, of PostgreSQL three digits more. */
const microsecondsOf = (updatedAt: string): number => {
  const digits = /\.(\d+)/.exec(updatedAt)?.[1] ?? "";
  return Date.parse(updatedAt) * 1000 + Number(digits.padEnd(6, "0").slice(3, 6));
};

const instantOf = (microseconds: number): string => {
  const [seconds] = new Date(microseconds / 1000).toISOString().split(".");
  return `${seconds}.${String(microseconds % 1_000_000).padStart(6, "0")}Z`;
};
