import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createUser } from "../../support/people.ts";
import { createTrack } from "../../support/tracks.ts";
import { fieldsIn, threeHosts } from "./three-hosts.ts";

type Changes = Record<string, string | File | undefined>;

/** The edit forms of a new user's tracks, in a signed-in browser. */
export async function openTrackForms() {
  const service = await threeHosts();
  const owner = await createUser();
  const browser = await service.open().enterSite(owner.id);
  return {
    service,
    owner,
    browser,
    async newTrack(columns: Record<string, unknown> = {}) {
      const permalink = `t${crypto.randomUUID().slice(0, 8)}`;
      const { id } = await createTrack(owner, { permalink, ...columns });
      return { id, path: `/${owner.username}/${permalink}/edit` };
    },
    /** Opens the form, changes some fields and sends it, as browsers do. */
    async edit(path: string, changes: Changes) {
      const { html } = await browser.get("web", path);
      return browser.postParts("web", path, defined({ ...fieldsIn(html, path), ...changes }));
    },
    read: async (id: number) => (await api.as(owner).get<Track>(`/tracks/${id}`)).body,
  };
}

const defined = (fields: Changes) =>
  Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string | File] => field[1] !== undefined),
  );

export const problemOf = (html: string, field: string) =>
  new RegExp(`id="edit-${field}-problem"><span class="sr-only">Error: </span>([^<]*)`).exec(html)?.[1];
