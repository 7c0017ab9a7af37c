import type { Comment } from "../../../functions/api/comments/representation.ts";
import { api, type Options } from "../../support/api.ts";
import type { Person } from "../../support/people.ts";

interface Commented {
  id: number;
}

/** Reply of `POST`. `Body` may be a refusal. */
export const comment = <Body = Comment>(
  who: Person,
  { id }: Commented,
  fields: unknown,
  { query = "", ...options }: Options & { query?: string } = {},
) => api.as(who).post<Body>(`/tracks/${id}/comments${query}`, { json: { comment: fields }, ...options });

/** Creates a comment. */
export async function createComment(who: Person, track: Commented, fields: object = {}, query = "") {
  const { status, body } = await comment(who, track, { body: "Well said", ...fields }, { query });
  if (status !== 201) throw new Error(`Commenting answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export const pathOf = ({ id, track_id }: Pick<Comment, "id" | "track_id">, track = track_id) =>
  `/tracks/${track}/comments/${id}`;
