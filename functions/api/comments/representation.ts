import * as z from "zod";
import type { CommentRow } from "../../../db/queries/comments.ts";
import { apiUrl, type Links, timestamp, urn } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const Count = z.int().min(0);

export const Comment = z
  .strictObject({
    id: z.int(),
    kind: z.literal("comment"),
    urn: z.string(),
    uri: z.url(),
    created_at: z.string(),
    body: z.string().describe("HTML."),
    timestamp: Count.nullable().describe(
      "Milliseconds from the start of the track; null if the comment is not timed.",
    ),
    user_id: z.int(),
    user_urn: z.string(),
    user: z
      .strictObject({
        ...MiniUser.shape,
        followers_count: Count,
        followings_count: Count,
        reposts_count: Count.describe("Tracks and playlists that the user reposted."),
      })
      .meta({ id: "CommentUser" }),
    track_id: z.int(),
    track_urn: z.string(),
  })
  .meta({ id: "Comment" });
export type Comment = z.infer<typeof Comment>;

export const Comments = collectionOf(Comment).meta({ id: "Comments" });

export function representComment(comment: CommentRow, links: Links): Comment {
  return {
    id: comment.id,
    kind: "comment",
    urn: urn(links, "comments", comment.id),
    uri: apiUrl(links, `/comments/${comment.id}`),
    created_at: timestamp(comment.created_at),
    body: comment.body,
    timestamp: comment.timestamp_ms,
    user_id: comment.user_id,
    user_urn: urn(links, "users", comment.user_id),
    user: {
      ...representMiniUser(comment.user, links),
      followers_count: comment.user.followers_count,
      followings_count: comment.user.followings_count,
      reposts_count: comment.user.reposts_count,
    },
    track_id: comment.track_id,
    track_urn: urn(links, "tracks", comment.track_id),
  };
}
