import { errorAnchor, reasonOf } from "../http/errors.ts";
import { Prose } from "../site/prose.tsx";

/** Explains each status and what to do about it. `link` in an error leads here. */
export const EXPLANATIONS: Record<number, string> = {
  400: "The request cannot be read: a required parameter or the wrapper object is missing, the body is not well-formed, a parameter was sent twice, or a `cursor` comes from another list. `errors` names the parameter. Correct the request; sent again unchanged, it fails again.",
  401: "No access token was sent, it is invalid or has expired, its session has ended, or the operation needs a user and the token is an app's own. Send `Authorization: OAuth <ACCESS_TOKEN>`; refresh an expired token at `/oauth/token`, or ask the user to sign in again.",
  403: "The token is valid, but the resource is another user's, its owner does not allow this, or the account's plan does not include it. Repeating with the same token does not help.",
  404: "The resource does not exist, or you cannot see it; the reply does not say which. A private track or playlist needs its `secret_token`. An unknown path gets the same reply.",
  405: "The address exists, but not for this method. `Allow` lists its methods.",
  406: "The reply is not available in the format of suffix, `format` or `Accept`. Ask for JSON or XML; JSONP only reads resources that need no user's token.",
  408: "The request did not arrive completely in time. Send it again.",
  409: "Another change came first, or the resource's state does not allow this: a request with the same `Idempotency-Key` is still running, an upload lacks parts, a track has not failed. Get the resource again and decide anew.",
  410: "The address belongs to older behaviour, which this deployment has switched off. Use the current address.",
  412: "The resource was changed since the `ETag` in `If-Match`. Get it again and repeat the change.",
  413: "The body exceeds the operation's limit, which `errors` states. Upload large audio through `/uploads`.",
  415: "The media type of the body or the file is not accepted. `errors` lists the accepted ones.",
  416: "No byte of the requested `Range` exists. `Content-Range` states the file's length.",
  422: "A value is not allowed. `errors` has one entry per field, with its name and the allowed values.",
  429: "Too many requests of this kind. Wait for the seconds in `Retry-After`. `RateLimit` and `RateLimit-Policy` describe the budget, and so does `errors[0].meta` in the body.",
  431: "The headers of the request are too large.",
  500: "A fault of the service; the request is not to blame. Report the reply's `X-Request-Id`.",
  503: "The service or one of its parts is unavailable. Nothing was changed, so repeat the request after `Retry-After` seconds.",
  504: "A part of the service did not answer in time. The request may have taken effect: check the resource before repeating it.",
};

export const ErrorExplanations = () => (
  <section class="group" id="errors">
    <h2>Errors</h2>
    {Object.entries(EXPLANATIONS).map(([status, text]) => (
      <section class="operation card" id={errorAnchor(status)}>
        <h3>
          <a href={`#${errorAnchor(status)}`}>
            {status} {reasonOf(Number(status))}
          </a>
        </h3>
        <Prose text={text} />
      </section>
    ))}
  </section>
);
