import * as z from "zod";
import { idTime } from "../../../db/queries/caller.ts";
import type { StreamEvent } from "../../../db/queries/event-stream.ts";
import type {
  CommentFacts,
  DeliveryRow,
  ThingFacts,
  TrackFacts,
} from "../../../db/queries/webhook-deliveries.ts";
import { apiUrl, type Links, urn, webUrl, timestamp as written } from "../../lib/http/links.ts";
import { CreatedAt, kindOf, resourceId, resourceUri, resourceUrn } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";
import { PARENT } from "../comments/representation.ts";
import { Playlist } from "../playlists/representation.ts";
import { TrackArtist } from "../tracks/artists.ts";
import { Failure } from "../tracks/encoding.ts";
import { reasonSentence } from "../tracks/failures.ts";
import { Track } from "../tracks/representation.ts";
import { State } from "../tracks/vocabulary.ts";
import { MiniUser, representMiniUser } from "../users/representation.ts";

const THING = { id: true, urn: true, uri: true, permalink_url: true, title: true, sharing: true } as const;

const EventTrack = z
  .strictObject({
    ...Track.pick(THING).shape,
    kind: kindOf("track"),
    state: State,
    duration: z.int().nullable().meta(about("Milliseconds; null until it is known.", 215340)),
    artists: z
      .array(TrackArtist.pick({ name: true, role: true }))
      .describe("Names and roles of its credited artists."),
  })
  .meta({ id: "WebhookTrack" });

const EventPlaylist = z
  .strictObject({ ...Playlist.pick(THING).shape, kind: kindOf("playlist") })
  .meta({ id: "WebhookPlaylist" });

const EventComment = z
  .strictObject({
    id: resourceId(338914811904100),
    kind: kindOf("comment"),
    urn: resourceUrn("comments:338914811904100"),
    uri: resourceUri("comments/338914811904100"),
    created_at: CreatedAt,
    body: z.string().meta(about("HTML.", "Lovely bass line")),
    timestamp: z
      .int()
      .nullable()
      .meta(about("Milliseconds from the start of the track; null if the comment is not timed.", 61000)),
    parent_id: z.int().nullable().meta(about(PARENT, 338914811904099)),
  })
  .meta({ id: "WebhookComment" });

const event = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.strictObject({
    id: z
      .int()
      .meta(
        about(
          "Id of the event, the same in each delivery, in streams and at `/me/events/{id}`.",
          338914811904700,
        ),
      ),
    type: z.literal(type).describe("Name of the event."),
    timestamp: z.iso.datetime().meta({
      description: "Time of the event. `webhook-timestamp` is the time of sending.",
      examples: ["2026-11-23T12:00:00.000Z"],
    }),
    data: data.describe("Content of the event."),
  });

/** Payloads show the state at the time of the event. Their `uri` leads to the current state. */
export const WEBHOOK_EVENTS = [
  event("track.finished", z.strictObject({ track: EventTrack.describe("The track.") })),
  event(
    "track.failed",
    z.strictObject({
      track: EventTrack.describe("The track."),
      reason: Failure.nullable().describe("Null if none is known."),
    }),
  ),
  event(
    "track.published",
    z.strictObject({ track: EventTrack.describe("The track that became public at its time.") }),
  ),
  event(
    "comment.created",
    z.strictObject({
      comment: EventComment.describe("The comment."),
      track: EventTrack.describe("The track."),
      user: MiniUser.describe("The user."),
    }),
  ),
  event(
    "like.created",
    z.union([
      z.strictObject({ track: EventTrack.describe("The track."), user: MiniUser.describe("The user.") }),
      z.strictObject({
        playlist: EventPlaylist.describe("The playlist."),
        user: MiniUser.describe("The user."),
      }),
    ]),
  ),
  event("follow.created", z.strictObject({ user: MiniUser.describe("The user.") })),
  event("webhook.test", z.strictObject({ user: MiniUser.describe("The user.") })),
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
  const { event_id: id, event: type, data, occurred_at: at } = delivery;
  const timestamp = new Date(at).toISOString();
  switch (type) {
    case "track.finished":
    case "track.published":
      return { id, type, timestamp, data: { track: representTrack(data.track, links) } };
    case "track.failed": {
      const { track, reason } = data;
      return {
        id,
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
        id,
        type,
        timestamp,
        data: {
          comment: representComment(data.comment, links),
          track: representTrack(data.track, links),
          user: representMiniUser(data.user, links),
        },
      };
    case "like.created": {
      const user = representMiniUser(data.user, links);
      return "track" in data
        ? { id, type, timestamp, data: { track: representTrack(data.track, links), user } }
        : { id, type, timestamp, data: { playlist: representPlaylist(data.playlist, links), user } };
    }
    case "follow.created":
    case "webhook.test":
      return { id, type, timestamp, data: { user: representMiniUser(data.user, links) } };
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
  artists: track.artists ?? [],
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

const representComment = (comment: CommentFacts, links: Links): z.infer<typeof EventComment> => ({
  id: comment.id,
  kind: "comment",
  urn: urn(links, "comments", comment.id),
  uri: apiUrl(links, `/comments/${comment.id}`),
  created_at: written(idTime(comment.id)),
  body: comment.body,
  timestamp: comment.timestamp_ms,
  parent_id: comment.parent_id ?? null,
});
