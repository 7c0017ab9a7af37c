import { describeCause, reasonOf } from "../../lib/http/errors.ts";
import { type ApiDocument, type MediaType, operationsIn } from "./schema.ts";

type Refusal = [cause: string, type: string];

/** A cause by status, and its anchor on the page of errors. */
const REFUSALS: Record<string, Refusal> = {
  400: ["url: is missing", "missing-parameter"],
  401: ["No access token was sent: add the header Authorization: OAuth <ACCESS_TOKEN>", "missing-token"],
  403: ["The track is another user's", "forbidden"],
  404: ["Track not found", "not-found"],
  405: ["PATCH is not allowed here", "method-not-allowed"],
  406: ["The format must be json, xml or jsonp", "not-acceptable"],
  409: ["Another change came first; look at the resource and try again", "conflict"],
  412: ["The track was changed since the ETag of If-Match; get it again", "precondition-failed"],
  413: ["The body may hold 1 MB at most", "payload-too-large"],
  415: ["Send the body as application/json or application/xml", "unsupported-media-type"],
  416: ["The range lies outside the file", "range-not-satisfiable"],
  422: ["track[title]: must not be empty", "unprocessable-entity"],
  429: ["Too many likes: 1000 an hour are allowed", "too-many-requests"],
  500: ["Something went wrong on our side. Report the request id.", "internal-server-error"],
  503: ["The database is unavailable; try again.", "service-unavailable"],
  504: ["The database did not answer in time; check the resource before trying again.", "gateway-timeout"],
};

/** The same for the authorization server, with RFC 6749's code. */
const OAUTH_REFUSALS: Record<string, [code: string, ...Refusal]> = {
  400: [
    "invalid_grant",
    "the code was used before, and works once; send the user to /authorize again",
    "used-code",
  ],
  401: ["invalid_client", "the client is unknown or its secret is wrong", "invalid-client"],
  405: ["invalid_request", "GET is not allowed here", "method-not-allowed"],
  413: ["invalid_request", "The body may hold 65536 bytes at most", "payload-too-large"],
  429: [
    "rate_limit_exceeded",
    "too many tokens from client credentials; reuse the one you have",
    "rate-limit-exceeded",
  ],
  500: ["server_error", "Something went wrong on our side. Report the request id.", "server-error"],
  503: ["temporarily_unavailable", "the database is unavailable; try again", "temporarily-unavailable"],
  504: [
    "temporarily_unavailable",
    "the database did not answer in time; the request may have been processed",
    "gateway-timeout",
  ],
};

/** Gives each error reply an example with its own status. `default` has the schema's. */
export function addErrorExamples(document: ApiDocument): void {
  for (const { responses = {} } of operationsIn(document))
    for (const [status, reply] of Object.entries(responses)) {
      const name = reply.$ref?.split("/").at(-1) ?? "";
      const { content = {} } = document.components.responses[name] ?? reply;
      for (const mediaType of Object.values(content)) addExample(mediaType, status);
    }
}

function addExample(mediaType: MediaType, status: string): void {
  const example = exampleFor(mediaType.schema?.$ref?.split("/").at(-1), status);
  if (example) mediaType.example ??= example;
}

function exampleFor(schema: string | undefined, status: string): object | undefined {
  if (schema === "Error" && REFUSALS[status]) return errorObject(status, ...REFUSALS[status]);
  const refusal = OAUTH_REFUSALS[status];
  if (schema !== "OAuthError" || !refusal) return undefined;
  const [error, cause, type] = refusal;
  return { ...errorObject(status, cause, type), error, error_description: cause };
}

function errorObject(status: string, cause: string, type: string) {
  const message = `${status} - ${reasonOf(Number(status))}`;
  return {
    code: Number(status),
    message,
    link: `https://api.soundpost.example/docs/errors#${type}`,
    status: message,
    errors: [describeCause(cause)],
    error: null,
    type,
    request_id: "0c4f9a52-4a5e-4d3b",
  };
}
