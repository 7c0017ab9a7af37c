import * as z from "zod";
import type { CommentRow } from "../../../db/queries/comments.ts";
import { apiUrl, type Links, timestamp, urn } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";
import {
  CreatedAt,
  kindOf,
  resourceId,
  resourceUri,
  resourceUrn,
  UserId,
  UserUrn,
} from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const Count = z.int().min(0);

/** Describes `parent_id`. */
export const PARENT =
  "Id of the first comment of the thread, which may be deleted or hidden. Null if this one is not a reply.";

export const Comment = z
  .strictObject({
    id: resourceId(338914811904100),
    kind: kindOf("comment"),
    urn: resourceUrn("comments:338914811904100"),
    uri: resourceUri("comments/338914811904100"),
    created_at: CreatedAt,
    body: z.string().meta(about("HTML.", "Lovely bass line")),
    timestamp: Count.nullable().meta(
      about("Milliseconds from the start of the track; null if the comment is not timed.", 61000),
    ),
    parent_id: z.int().nullable().meta(about(PARENT, 338914811904099)),
    user_id: UserId,
    user_urn: UserUrn,
    user: z
      .strictObject({
        ...MiniUser.shape,
        followers_count: Count.meta(about("Users who follow this one.", 120)),
        followings_count: Count.meta(about("Users whom this one follows.", 45)),
        reposts_count: Count.meta(about("Tracks and playlists that the user reposted.", 5)),
      })
      .meta({ id: "CommentUser" })
      .describe("The user."),
    track_id: z.int().meta(about("The track.", 338914811904001)),
    track_urn: z.string().meta(about("The track's URN.", "soundcloud:tracks:338914811904001")),
  })
  .meta({ id: "Comment" });
export type Comment = z.infer<typeof Comment>;

export const Comments = collectionOf(Comment, "tracks/338914811904001/comments").meta({ id: "Comments" });

export function representComment(comment: CommentRow, links: Links): Comment {
  return {
    id: comment.id,
    kind: "comment",
    urn: urn(links, "comments", comment.id),
    uri: apiUrl(links, `/comments/${comment.id}`),
    created_at: timestamp(comment.created_at),
    body: comment.body,
    timestamp: comment.timestamp_ms,
    parent_id: comment.parent_id,
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
