import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

export type Entry = [name: string, value: string | [content: Blob, filename: string]];

export function formOf(entries: Entry[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, ...value);
  }
  return form;
}

export const file = (content: Blob, name = "song.wav"): Entry => ["track[asset_data]", [content, name]];
export const title: Entry = ["track[title]", "A song"];

export const uploadForm = <Body = Track>(
  who: Person,
  entries: Entry[],
  headers: Record<string, string> = {},
) => api.as(who).post<Body>("/tracks", { raw: formOf(entries), headers });

/** Keys that may be in storage and belong to no track. */
export const garbageOf = async (who: Person) =>
  (
    await sql<{ prefix: string }>("select prefix from object_garbage where prefix like $1", [
      `in/${who.id}/%`,
    ])
  ).map(({ prefix }) => prefix);
