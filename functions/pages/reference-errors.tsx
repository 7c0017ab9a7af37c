import { errorAnchor, reasonOf } from "../http/errors.ts";
import { Prose } from "../site/prose.tsx";

/** Explains each status and what to do about it. `link` in an error leads here. */
export const EXPLANATIONS: Record<number, string> = {
  400: "The request cannot be read: a required parameter or the wrapper object is missing, the body is not well-formed, a parameter was sent twice, or a `cursor` comes from another list. `errors` names the parameter. Correct the request; sent again unchanged, it fails again.",
  401: "No access token was sent, it is invalid or has expired, its session has ended, or the operation needs a user and the token is an app's own. Send `Authorization: OAuth <ACCESS_TOKEN>`; refresh an expired token at `/oauth/token`, or ask the user to sign in again.",
  403: "The token is good, but the resource is another user's, its owner does not allow this, or the account's plan does not include it. Another attempt with the same token gets the same answer.",
  404: "There is no such resource, or it is not visible to you; the two are not told apart. A private track or playlist needs its `secret_token`. An unknown path answers the same.",
  405: "The address exists, but not for this method. `Allow` lists the methods that it has.",
  406: "The reply cannot be had in the format that was asked for by suffix, `format` or `Accept`. Ask for JSON or XML; JSONP is only for reading what needs no user's token.",
  408: "The request did not arrive whole in time. Send it again.",
  409: "Another change came first, or the resource is in a state that does not allow this: a request with the same `Idempotency-Key` is still running, an upload lacks parts, a track has not failed. Get the resource again and decide anew.",
  410: "The address belonged to the older behaviour, which this deployment has switched off. Use the current address.",
  412: "The resource was changed since the `ETag` in `If-Match`. Get it again and repeat the change on what it is now.",
  413: "The body is larger than this operation takes. `errors` tells the limit; large audio goes through `/uploads`.",
  415: "The body's media type is not taken here, or the file is of a kind that is not accepted. `errors` lists what is.",
  416: "No byte of the requested `Range` exists. `Content-Range` tells the length of the file.",
  422: "The request was read, but a value is not allowed. `errors` has one entry a field, which names the field and what it may hold.",
  429: "Too many requests of this kind in a while. Wait as many seconds as `Retry-After` tells; `RateLimit` and `RateLimit-Policy` tell the budget, `errors[0].meta` the same in the body.",
  431: "The headers of the request are too large.",
  500: "A fault of the service. Nothing about the request is known to be wrong. Report the `X-Request-Id` of the reply.",
  503: "The service, or a part that it needs, is not available. Nothing was changed, so the request may be repeated after `Retry-After` seconds.",
  504: "A part of the service did not answer in time. The request may have taken effect: look at the resource before you repeat it.",
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
