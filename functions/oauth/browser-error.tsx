import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { AppEnv } from "../http/env.ts";
import { explained, reasonOf } from "../http/errors.ts";
import { sendPage } from "../pages/policy.ts";
import { Frame } from "./frame.tsx";
import { RedirectedError, redirectError } from "./redirect-reply.ts";

const TITLES: Record<number, string> = {
  400: "This link does not work",
  403: "Nothing was changed",
  404: "There is nothing here",
  410: "No longer offered",
  422: "Something is not right yet",
  503: "Please try again in a moment",
};

/** For paths that browsers open: what may go back to the app does, all else is a page, never a redirect. */
export function renderBrowserError(error: unknown, c: Context<AppEnv>): Response {
  if (error instanceof RedirectedError) return redirectError(c, error);
  const { status, causes, headers } = explained(error, c);
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
      </section>
    </Frame>
  );
  return sendPage(c, page, { status: status as ContentfulStatusCode, cacheControl: "no-store" });
}
