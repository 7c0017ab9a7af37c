import { OAUTH_ERROR_TYPES } from "./error-types-oauth.ts";

/** An error with its own explanation. Its name is its anchor on the page that explains errors. */
export interface ErrorExplanation {
  status: number;
  /** RFC 6749's `error`, from the endpoints of the authorization server. */
  code?: string;
  /** One sentence. */
  cause: string;
  /** The client's next step. */
  remedy: string;
}

/** Errors without their own type are named by the reason of their status, such as `not-found`. */
export const ERROR_TYPES = {
  "bad-request": {
    status: 400,
    cause: "The request cannot be read as this operation needs it.",
    remedy: "`errors` says what is wrong. Correct the request; sent again unchanged, it fails again.",
  },
  "missing-parameter": {
    status: 400,
    cause: "A required parameter, or the wrapper object of the body, is missing.",
    remedy:
      "`errors` names it, and the header `Soundpost-Ignored` what was sent under another name. Put the fields of a body inside the wrapper, such as `track`, if the operation names one.",
  },
  "repeated-parameter": {
    status: 400,
    cause: "A parameter was sent more than once, so no value is the right one.",
    remedy: "Send it once. Lists are one parameter with commas, such as `ids=1,2`.",
  },
  "malformed-body": {
    status: 400,
    cause: "The body is not well-formed JSON, XML or form data in UTF-8.",
    remedy: "Write the body with your language's library, and let it set `Content-Type` with its boundary.",
  },
  "foreign-cursor": {
    status: 400,
    cause: "The `cursor` was not issued by this list, or was changed.",
    remedy: "Follow `next_href` unchanged, or begin the list again without `cursor`.",
  },
  unauthorized: {
    status: 401,
    cause: "The operation needs an access token that allows it.",
    remedy: "Send `Authorization: OAuth <ACCESS_TOKEN>`.",
  },
  "missing-token": {
    status: 401,
    cause: "No access token was sent.",
    remedy:
      "Send `Authorization: OAuth <ACCESS_TOKEN>`, or `Bearer` in place of `OAuth`. Get the token at `/oauth/token`: with `authorization_code` for a user, with `client_credentials` for public resources.",
  },
  "wrong-authorization-scheme": {
    status: 401,
    cause: "The `Authorization` header has a scheme other than `OAuth` or `Bearer`.",
    remedy:
      "Send `Authorization: OAuth <ACCESS_TOKEN>`. `Basic`, with the app's id and secret, is for `/oauth/token`, which answers with an access token.",
  },
  "invalid-token": {
    status: 401,
    cause: "The access token is not one that this service issued, or it is damaged.",
    remedy:
      "Send `access_token` from the reply of `/oauth/token`, whole and unchanged. A refresh token or a client secret is no access token.",
  },
  "expired-token": {
    status: 401,
    cause:
      "The access token has expired; it lives for about an hour, and a personal one until the day that was chosen.",
    remedy:
      "Make another personal token at `/settings/tokens`. With an app, send your refresh token to `/oauth/token` with `grant_type=refresh_token`, store both tokens of the reply, and repeat the request with the new access token.",
  },
  "revoked-token": {
    status: 401,
    cause:
      "The session of the access token has ended: signed out, revoked, or taken from the app by its user.",
    remedy:
      "Refreshing does not help. `/you/apps` says if operators revoked the app. If they did not, send the user to `/authorize` again; for an app's own token, ask `/oauth/token` for a new one. For a personal token, make another at `/settings/tokens`.",
  },
  "user-token-needed": {
    status: 401,
    cause: "The operation acts as a user, and the token is the app's own.",
    remedy:
      "Send the user to `/authorize` with PKCE, and exchange the code at `/oauth/token` with `grant_type=authorization_code`.",
  },
  "client-id-only-reads": {
    status: 401,
    cause: "The request has a `client_id` instead of a token, which only reads public resources.",
    remedy: "Send `Authorization: OAuth <ACCESS_TOKEN>`.",
  },
  "unknown-app": {
    status: 401,
    cause: "No app has the `client_id` that was sent, or it is disabled.",
    remedy: "Copy the `client_id` from the app's page at `/you/apps`.",
  },
  forbidden: {
    status: 403,
    cause: "The token is valid, but the resource is another user's, or its owner does not allow this.",
    remedy: "Repeating with the same token does not help. Ask the owner, or hide the action.",
  },
  "insufficient-scope": {
    status: 403,
    cause: "The token is limited to other purposes than this operation's.",
    remedy:
      "`WWW-Authenticate` names the scope. Send the user to `/authorize` with all scopes that the app needs, or without `scope` for everything.",
  },
  "confirmation-needed": {
    status: 403,
    cause: "The user's e-mail address is not confirmed, so they cannot post, follow or upload yet.",
    remedy:
      "Ask the user to open the link in the mail, or to have another one sent from the settings. Then repeat the request; the token stays valid.",
  },
  "plan-needed": {
    status: 403,
    cause: "The account's plan does not include this.",
    remedy: "Change the plan of the account, or use an app that somebody else registered.",
  },
  "blocked-track": {
    status: 403,
    cause: "This listener may not stream the track; its `access` is `blocked`.",
    remedy:
      "Show the track without a play button. Lists leave such tracks out with `access=playable,preview`.",
  },
  "over-quota": {
    status: 403,
    cause: "The file is more than your quota has left; `quota` in `/me` says how much that is.",
    remedy: "Delete tracks or open uploads that you no longer need, or change the plan of the account.",
  },
  "taken-down": {
    status: 403,
    cause: "An operator took the track or the set down; `/you/removals` says why.",
    remedy: "Answer at `/you/removals`. Only the people who run the service can put it back.",
  },
  "comments-disabled": {
    status: 403,
    cause: "The track's owner takes no comments.",
    remedy: "Offer no comments where `commentable` is false.",
  },
  "not-found": {
    status: 404,
    cause: "The resource does not exist, or you cannot see it; the reply does not say which.",
    remedy:
      "Check the address. A private track or playlist needs its `secret_token`, or the token of somebody who may see it.",
  },
  "track-not-ready": {
    status: 404,
    cause: "The track is there, but has no stream yet or failed to encode.",
    remedy: "Ask for the track until its `state` is `finished`, or wait for the event `track.finished`.",
  },
  "method-not-allowed": {
    status: 405,
    cause: "The address exists, but not for this method.",
    remedy: "`Allow` lists its methods.",
  },
  "not-acceptable": {
    status: 406,
    cause: "The reply is not available in the format of the suffix, `format` or `Accept`.",
    remedy: "Ask for JSON or XML. JSONP reads public resources only, without a token or a secret.",
  },
  "request-timeout": {
    status: 408,
    cause: "The request did not arrive completely in time.",
    remedy: "Send it again. Large files go through `/uploads`, which resumes.",
  },
  conflict: {
    status: 409,
    cause: "Another change came first, or the resource's state does not allow this.",
    remedy: "Get the resource again and decide anew.",
  },
  "idempotency-key-in-use": {
    status: 409,
    cause: "The first request with this `Idempotency-Key` is still running.",
    remedy: "Repeat the same request after `Retry-After` seconds, with the same key.",
  },
  gone: {
    status: 410,
    cause: "The address belongs to older behaviour, which this deployment has switched off.",
    remedy: "Use the current address: `/authorize` and `/oauth/token`, with PKCE.",
  },
  "precondition-failed": {
    status: 412,
    cause: "The resource was changed since the `ETag` that `If-Match` names.",
    remedy: "Get it again, repeat your change on the new version, and send its `ETag`.",
  },
  "payload-too-large": {
    status: 413,
    cause: "The body exceeds the operation's limit.",
    remedy: "`errors` states the limit. Upload large audio through `/uploads`.",
  },
  "unsupported-media-type": {
    status: 415,
    cause: "The media type of the body or of the file is not accepted.",
    remedy: "`errors` lists the accepted types. Set `Content-Type`, and send the body uncompressed.",
  },
  "range-not-satisfiable": {
    status: 416,
    cause: "No byte of the requested `Range` exists.",
    remedy: "`Content-Range` states the file's length.",
  },
  "misdirected-request": {
    status: 421,
    cause: "The request names a host that the service does not have.",
    remedy:
      "Use the addresses of this document. A proxy in front of the service must pass on the `Host` that clients send.",
  },
  "unprocessable-entity": {
    status: 422,
    cause: "A value is not allowed.",
    remedy: "`errors` has one entry per field, with its name and the allowed values.",
  },
  "idempotency-key-reused": {
    status: 422,
    cause: "The `Idempotency-Key` was used for another request.",
    remedy: "Make a new key for each request, and repeat a key only with the same body.",
  },
  "too-many-requests": {
    status: 429,
    cause: "Too many requests of this kind came in a short time.",
    remedy:
      "Wait for the seconds in `Retry-After`. `RateLimit`, `RateLimit-Policy` and `errors[0].meta` name the limit and who shares it.",
  },
  "request-header-fields-too-large": {
    status: 431,
    cause: "The headers of the request are too large.",
    remedy: "Send fewer or shorter headers.",
  },
  "internal-server-error": {
    status: 500,
    cause: "A fault of the service; the request is not to blame.",
    remedy: "Report the reply's `X-Request-Id`.",
  },
  "service-unavailable": {
    status: 503,
    cause: "The service or one of its parts is unavailable; nothing was changed.",
    remedy: "Repeat the request after `Retry-After` seconds, and wait longer each time.",
  },
  "gateway-timeout": {
    status: 504,
    cause: "A part of the service did not answer in time, so the request may have taken effect.",
    remedy: "Check the resource before you repeat the request. With an `Idempotency-Key`, repeat it safely.",
  },
  ...OAUTH_ERROR_TYPES,
} as const satisfies Record<string, ErrorExplanation>;

export type ErrorType = keyof typeof ERROR_TYPES;
