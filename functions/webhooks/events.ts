import * as z from "zod";
import type { DeliveryRow, EventFacts } from "../../db/queries/webhook-deliveries.ts";
import { apiUrl, type Links, timestamp, urn, webUrl } from "../http/links.ts";
import { reasonSentence } from "../tracks/failures.ts";
import { Sharing, State } from "../tracks/vocabulary.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const thing = {
  id: z.int(),
  urn: z.string(),
  uri: z.url(),
  permalink_url: z.url(),
  title: z.string(),
  sharing: Sharing,
};

/** What is sent: as things were when it happened. Whoever needs more, or how they are by now, asks their `uri`. */
export const WebhookEvent = z
  .strictObject({
    type: z.string(),
    timestamp: z.iso.datetime().describe("When it happened; `webhook-timestamp` is when it was sent."),
    data: z.strictObject({
      track: z
        .strictObject({
          ...thing,
          kind: z.literal("track"),
          state: State,
          duration: z.int().nullable().describe("Milliseconds."),
        })
        .optional(),
      reason: z
        .strictObject({ code: z.string(), message: z.string() })
        .optional()
        .describe("Why the encode failed."),
      playlist: z.strictObject({ ...thing, kind: z.literal("playlist") }).optional(),
      comment: z
        .strictObject({
          id: z.int(),
          kind: z.literal("comment"),
          urn: z.string(),
          uri: z.url(),
          created_at: z.string(),
          body: z.string().describe("HTML."),
          timestamp: z.int().nullable().describe("Milliseconds from the start of the track."),
        })
        .optional(),
      user: MiniUser.optional().describe("Who did it."),
    }),
  })
  .meta({ id: "WebhookEvent" });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export function representEvent(delivery: DeliveryRow, links: Links): WebhookEvent {
  const { track, reason, playlist, comment, user } = delivery.data;
  return {
    type: delivery.event,
    timestamp: new Date(delivery.occurred_at).toISOString(),
    data: {
      ...(track && { track: representTrackOf(track, links) }),
      ...(reason && { reason: { code: reason, message: reasonSentence(reason) } }),
      ...(playlist && {
        playlist: {
          ...representThing("playlists", playlist, links),
          kind: "playlist",
          permalink_url: webUrl(links, `/${playlist.owner_permalink}/sets/${playlist.permalink}`),
        },
      }),
      ...(comment && {
        comment: {
          id: comment.id,
          kind: "comment",
          urn: urn(links, "comments", comment.id),
          uri: apiUrl(links, `/comments/${comment.id}`),
          created_at: timestamp(delivery.occurred_at),
          body: comment.body,
          timestamp: comment.timestamp_ms,
        },
      }),
      ...(user && { user: representMiniUser(user, links) }),
    },
  };
}

const representThing = (
  kind: "tracks" | "playlists",
  { id, title, sharing }: NonNullable<EventFacts["track" | "playlist"]>,
  links: Links,
) => ({ id, urn: urn(links, kind, id), uri: apiUrl(links, `/${kind}/${id}`), title, sharing });

const representTrackOf = (track: NonNullable<EventFacts["track"]>, links: Links) => ({
  ...representThing("tracks", track, links),
  kind: "track" as const,
  permalink_url: webUrl(links, `/${track.owner_permalink}/${track.permalink}`),
  state: track.state,
  duration: track.duration_ms,
});
