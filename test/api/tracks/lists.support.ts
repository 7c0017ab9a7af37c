import { randomBytes } from "node:crypto";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";

export interface Page {
  collection: Track[];
  next_href?: string;
}

export type Asking = Parameters<typeof api.as>[0];

/** A word that occurs in no other test's tracks. */
export const uniqueWord = (): string => `w${randomBytes(6).toString("hex")}`;

const queryOf = (parameters: Record<string, unknown>) =>
  new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));

export const listHref = (parameters: Record<string, unknown>, path = "/tracks"): string =>
  `${path}?${queryOf(parameters)}`;

/** Ids in the order listed. */
export async function listed(
  who: Asking,
  parameters: Record<string, unknown>,
  path = "/tracks",
): Promise<number[]> {
  const { status, body } = await api.as(who).get<Track[]>(listHref(parameters, path));
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body.map(({ id }) => id);
}

/** Follows `next_href` to the end and returns the ids of each page. `between` runs after the first. */
export async function allPages(
  who: Asking,
  parameters: Record<string, unknown>,
  { path = "/tracks", between = async () => {} }: { path?: string; between?: () => Promise<unknown> } = {},
): Promise<number[][]> {
  const pages: number[][] = [];
  let href: string | undefined = listHref({ linked_partitioning: true, ...parameters }, path);
  while (href) {
    const { body }: { body: Page } = await api.as(who).get<Page>(href);
    pages.push(body.collection.map(({ id }) => id));
    href = body.next_href;
    if (pages.length === 1) await between();
  }
  return pages;
}

/** Status and first message of a list that refuses. */
export async function refusal(who: Asking, query: string, path = "/tracks"): Promise<[number, string]> {
  const { status, body } = await api.as(who).get<ErrorReply>(`${path}?${query}`);
  return [status, body.errors?.[0]?.error_message ?? ""];
}
