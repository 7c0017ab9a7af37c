import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { ImportEpisode, PodcastImport } from "../../../functions/api/imports/representation.ts";
import { api } from "../../support/api.ts";
import { mailTo } from "../../support/browser.ts";
import type { Person } from "../../support/people.ts";
import { deliver } from "../../support/stack.ts";

/** An address of a feed's owner that no other test mails. */
export const newEmail = (): string => `${randomUUID()}@feeds.example`;

export const begin = (who: Person, feed_url: string) =>
  api.as(who).post<PodcastImport>("/me/podcast-imports", { json: { podcast_import: { feed_url } } });

export const confirm = (who: Person, id: number, json: { code?: string } = {}) =>
  api.as(who).post<PodcastImport>(`/me/podcast-imports/${id}/confirm`, { json });

/** The code that was mailed to a feed's owner. */
export const codeFor = async (email: string): Promise<string> =>
  codeIn(await mailTo(email, "Your code for moving a podcast"));

export const codeIn = ({ text }: { text: string }): string =>
  /[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/.exec(text)?.[0] ?? "";

/** Begins and confirms an import. */
export async function moveIn(who: Person, feedUrl: string, email: string): Promise<PodcastImport> {
  const { body } = await begin(who, feedUrl);
  return (await confirm(who, body.id, { code: await codeFor(email) })).body;
}

export const read = async (who: Person, id: number): Promise<PodcastImport> =>
  (await api.as(who).get<PodcastImport>(`/me/podcast-imports/${id}`)).body;

export const episodesOf = async (who: Person, id: number): Promise<ImportEpisode[]> =>
  (await api.as(who).get<ImportEpisode[]>(`/me/podcast-imports/${id}/episodes`)).body;

export const runNow = (id: number) => deliver("imports", [{ body: { import: id } }]);

/** Waits until every episode is where its step is the last one. */
export async function waitForImport(who: Person, id: number): Promise<ImportEpisode[]> {
  await expect
    .poll(async () =>
      (await episodesOf(who, id)).filter(({ state }) => ["waiting", "fetching", "encoding"].includes(state)),
    )
    .toEqual([]);
  return episodesOf(who, id);
}
