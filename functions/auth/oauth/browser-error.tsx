import type { Context } from "hono";
import { ERROR_TYPES } from "../../lib/errors/error-types.ts";
import type { AppEnv, Env } from "../../lib/http/env.ts";
import { explainError, reasonOf, referenceOf, typeOf } from "../../lib/http/errors.ts";
import { destinationOf } from "../../lib/security/redirect-match.ts";
import { sendPage } from "../../ui/policy.ts";
import { Frame } from "./frame.tsx";
import { addressOfRefusal, RedirectedError, RefusedRequest } from "./redirect-reply.ts";

const TITLES: Record<number, string> = {
  400: "This link does not work",
  403: "Nothing was changed",
  404: "There is nothing here",
  409: "One moment",
  410: "No longer offered",
  422: "Something is not right yet",
  503: "Please try again in a moment",
};

/**
 * Renders errors of paths that browsers open. Only the user's own decision redirects to the app; anything
 * else is a page.
 */
export function renderBrowserError(error: unknown, c: Context<AppEnv>): Response {
  if (error instanceof RedirectedError) {
    c.header("Cache-Control", "no-store");
    return c.redirect(addressOfRefusal(c.env, error), 303);
  }
  const refused = error instanceof RefusedRequest ? error : undefined;
  const { status, causes, headers, type } = refused
    ? { status: 400 as const, causes: [refused.message], headers: {}, type: refused.type }
    : explainError(error, c);
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  const title = TITLES[status] ?? reasonOf(status);
  const page = (
    <Frame env={c.env} title={title}>
      <section class="card message" data-status={status}>
        <p class="eyebrow">{status}</p>
        <h1>{title}</h1>
        {causes.map((cause) => (
          <p>{cause}</p>
        ))}
        <Explanation env={c.env} type={type ?? typeOf({ status, type: undefined })} />
        {refused && (
          <p>
            <a href={addressOfRefusal(c.env, refused)} rel="nofollow noreferrer">
              Go back to <span class="destination">{destinationOf(refused.to.redirectUri)}</span>
            </a>
          </p>
        )}
      </section>
    </Frame>
  );
  return sendPage(c, page, { status, cacheControl: "no-store", keepsOpener: true });
}

/** The people who can mend it are the app's, and they see what their users see. */
const Explanation = ({ env, type }: { env: Env; type: string }) =>
  Object.hasOwn(ERROR_TYPES, type) ? (
    <p class="hint">
      For developers: <a href={referenceOf(env, type)}>{type}</a>
    </p>
  ) : null;
