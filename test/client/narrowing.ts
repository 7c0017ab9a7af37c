import { OAuthError, type OAuthErrorCode, type StreamEvent } from "soundpost";
import { type Delivery, verifyWebhook, type WebhookEvent } from "soundpost/webhooks";

const never = (rest: never): never => {
  throw new Error(String(rest));
};

type Of<Type extends WebhookEvent["type"]> = Extract<WebhookEvent, { type: Type }>["data"];

/** Compiles only if a follower is no comment, and a misspelled code is none. */
export const refusals: [false, false] = [
  isFalse<"comment" extends keyof Of<"follow.created"> ? true : false>(),
  isFalse<"invalid_grnt" extends OAuthErrorCode ? true : false>(),
];

function isFalse<Fact extends false>(): Fact {
  return false as Fact;
}

/** Compiles only if `type` tells the events apart, and no event is left over. */
export function wordsOf(event: WebhookEvent): string {
  switch (event.type) {
    case "track.finished":
    case "track.published":
      return event.data.track.title;
    case "track.failed":
      return event.data.reason?.code ?? event.data.track.title;
    case "comment.created":
      return event.data.comment.body;
    case "like.created":
      return "track" in event.data ? event.data.track.title : event.data.playlist.title;
    case "follow.created":
    case "webhook.test":
      return event.data.user.username;
    default:
      return never(event);
  }
}

/** Compiles only if a stream has the same events, and `reset`. */
export const wordsInStream = (event: StreamEvent): string =>
  event.type === "reset" ? event.timestamp : wordsOf(event);

export const verified = async (delivery: Delivery): Promise<string> =>
  wordsOf(await verifyWebhook(delivery, "whsec_AAAA"));

/** Compiles only if `code` is one of OAuth's words, and a comparison tells which. */
export function mayRetry(error: unknown): boolean {
  if (!(error instanceof OAuthError)) return false;
  if (error.code === "invalid_grant") {
    const code: "invalid_grant" = error.code;
    return code.length === 0;
  }
  const others: Exclude<OAuthErrorCode, "invalid_grant"> = error.code;
  return others === "temporarily_unavailable" || others === "rate_limit_exceeded";
}
