import * as z from "zod";
import type { StreamEvent } from "../../../db/queries/event-stream.ts";
import type {
  CommentFacts,
  DeliveryRow,
  ThingFacts,
  TrackFacts,
} from "../../../db/queries/webhook-deliveries.ts";
import { apiUrl, type Links, urn, webUrl, timestamp as written } from "../../lib/http/links.ts";
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

const EventTrack = z
  .strictObject({
    ...thing,
    kind: z.literal("track"),
    state: State,
    duration: z.int().nullable().describe("Milliseconds; null until it is known."),
  })
  .meta({ id: "WebhookTrack" });

const EventPlaylist = z
  .strictObject({ ...thing, kind: z.literal("playlist") })
  .meta({ id: "WebhookPlaylist" });

const EventComment = z
  .strictObject({
    id: z.int(),
    kind: z.literal("comment"),
    urn: z.string(),
    uri: z.url(),
    created_at: z.string(),
    body: z.string().describe("HTML."),
    timestamp: z
      .int()
      .nullable()
      .describe("Milliseconds from the start of the track; null if the comment is not timed."),
  })
  .meta({ id: "WebhookComment" });

const Reason = z.strictObject({ code: z.string(), message: z.string() });

const event = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.strictObject({
    type: z.literal(type).describe("Name of the event."),
    timestamp: z.iso.datetime().meta({
      description: "Time of the event. `webhook-timestamp` is the time of sending.",
      examples: ["2026-11-23T12:00:00.000Z"],
    }),
    data,
  });

/** Payloads show the state at the time of the event. Their `uri` leads to the current state. */
export const WEBHOOK_EVENTS = [
  event("track.finished", z.strictObject({ track: EventTrack })),
  event("track.failed", z.strictObject({ track: EventTrack, reason: Reason.nullable() })),
  event("comment.created", z.strictObject({ comment: EventComment, track: EventTrack, user: MiniUser })),
  event(
    "like.created",
    z.union([
      z.strictObject({ track: EventTrack, user: MiniUser }),
      z.strictObject({ playlist: EventPlaylist, user: MiniUser }),
    ]),
  ),
  event("follow.created", z.strictObject({ user: MiniUser })),
  event("webhook.test", z.strictObject({ user: MiniUser })),
] as const;

/** Headers for verifying a delivery. */
export const SIGNATURE_HEADERS = z.object({
  "webhook-id": z.string().describe("The same for every repetition."),
  "webhook-timestamp": z.string().describe("Time of this attempt, in seconds since 1970."),
  "webhook-signature": z
    .string()
    .describe(
      "`v1,` and the Base64 of HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the secret, whose bytes are the Base64 after `whsec_`. For a day after a rotation there are two, separated by a space.",
    ),
});

export const WebhookEvent = z.discriminatedUnion("type", WEBHOOK_EVENTS).meta({ id: "WebhookEvent" });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** Only in streams: events are missing between the client's last one and the next. */
export const StreamReset = z.strictObject({
  type: z.literal("reset"),
  timestamp: z.iso.datetime(),
  data: z.strictObject({}),
});
export type StreamReset = z.infer<typeof StreamReset>;

/** An event of a delivery or of a stream. */
type EventFacts = DeliveryRow | StreamEvent;

export function representEvent(delivery: EventFacts, links: Links): WebhookEvent {
  const { event: type, data, occurred_at: at } = delivery;
  const timestamp = new Date(at).toISOString();
  switch (type) {
    case "track.finished":
      return { type, timestamp, data: { track: representTrack(data.track, links) } };
    case "track.failed": {
      const { track, reason } = data;
      return {
        type,
        timestamp,
        data: {
          track: representTrack(track, links),
          reason: reason === null ? null : { code: reason, message: reasonSentence(reason) },
        },
      };
    }
    case "comment.created":
      return {
        type,
        timestamp,
        data: {
          comment: representComment(data.comment, at, links),
          track: representTrack(data.track, links),
          user: representMiniUser(data.user, links),
        },
      };
    case "like.created": {
      const user = representMiniUser(data.user, links);
      return "track" in data
        ? { type, timestamp, data: { track: representTrack(data.track, links), user } }
        : { type, timestamp, data: { playlist: representPlaylist(data.playlist, links), user } };
    }
    case "follow.created":
    case "webhook.test":
      return { type, timestamp, data: { user: representMiniUser(data.user, links) } };
  }
}

const representTrack = (track: TrackFacts, links: Links): z.infer<typeof EventTrack> => ({
  id: track.id,
  kind: "track",
  urn: urn(links, "tracks", track.id),
  uri: apiUrl(links, `/tracks/${track.id}`),
  permalink_url: webUrl(links, `/${track.owner_permalink}/${track.permalink}`),
  title: track.title,
  sharing: track.sharing,
  state: track.state,
  duration: track.duration_ms,
});

const representPlaylist = (playlist: ThingFacts, links: Links): z.infer<typeof EventPlaylist> => ({
  id: playlist.id,
  kind: "playlist",
  urn: urn(links, "playlists", playlist.id),
  uri: apiUrl(links, `/playlists/${playlist.id}`),
  permalink_url: webUrl(links, `/${playlist.owner_permalink}/sets/${playlist.permalink}`),
  title: playlist.title,
  sharing: playlist.sharing,
});

const representComment = (comment: CommentFacts, at: string, links: Links): z.infer<typeof EventComment> => ({
  id: comment.id,
  kind: "comment",
  urn: urn(links, "comments", comment.id),
  uri: apiUrl(links, `/comments/${comment.id}`),
  created_at: written(at),
  body: comment.body,
  timestamp: comment.timestamp_ms,
});
