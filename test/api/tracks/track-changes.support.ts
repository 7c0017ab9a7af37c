import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";

type Whose = { owner: Person; track: { id: number } };

/** Changes a track as its owner, unless a test names another track or user. */
export const changing = (usual: () => Whose) => ({
  put: <Body = Track>(fields: unknown, { id } = usual().track, who = usual().owner) =>
    api.as(who).put<Body>(`/tracks/${id}`, { json: { track: fields } }),

  putForm: <Body = Track>(fields: Record<string, string>, { id } = usual().track) =>
    api.as(usual().owner).put<Body>(`/tracks/${id}`, {
      form: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`track[${name}]`, value])),
    }),
});

export const rowOf = async ({ id }: { id: number }) => {
  const [row] = await sql("select * from tracks where id = $1", [id]);
  return row;
};
