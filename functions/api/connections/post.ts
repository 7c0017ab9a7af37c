import * as oauth from "oauth4webapi";
import type { DuePost, PostOutcome } from "../../../db/queries/connection-posts.ts";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { logLine } from "../../lib/http/log.ts";
import { ask, Refused, type Tokens } from "./client.ts";
import type { Service } from "./services.ts";

/** Returns `again` if the service may accept the post later. It recognizes a repetition by the key. */
export async function post(
  env: Env,
  { endpoint, body, type }: NonNullable<Service["post"]>,
  { access_token }: Tokens,
  profileId: string,
  due: DuePost,
): Promise<PostOutcome> {
  const url = webUrl(env, `/${due.user_permalink}/${due.permalink}`);
  const words = { id: profileId, text: textOf(due), url };
  const fields = Object.fromEntries(
    Object.entries(body).map(([name, template]) => [name, fillTemplate(template, words)]),
  );
  const isJson = type === "json";
  const reply = await ask(
    "POST",
    fillTemplate(endpoint, { id: encodeURIComponent(profileId) }),
    access_token,
    {
      "Content-Type": isJson ? "application/json" : "application/x-www-form-urlencoded",
      "Idempotency-Key": `"${due.id}"`,
    },
    isJson ? JSON.stringify(fields) : `${new URLSearchParams(fields)}`,
  ).catch((error: unknown) => {
    throw error instanceof oauth.WWWAuthenticateChallengeError ? new Refused() : error;
  });
  if (reply.status === 401) throw new Refused();
  if (!reply.ok) logLine("warn", "connection_post_refused", { post: due.id, status: reply.status });
  return reply.status >= 500 || reply.status === 429 || reply.status === 408 ? "again" : "ended";
}

const textOf = ({ kind, title, username }: DuePost): string =>
  kind === "favorite" ? `Liked “${title}” by ${username}` : `New: “${title}”`;

const fillTemplate = (template: string, words: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (unknown, word: string) => words[word] ?? unknown);
