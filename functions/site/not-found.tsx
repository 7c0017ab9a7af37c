import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { AppEnv } from "../http/env.ts";
import { notFound } from "../http/errors.ts";
import { webUrl } from "../http/links.ts";
import { Page } from "./layout.tsx";
import { sendPage } from "./policy.ts";

/** Programs that take anything get the error object; a page is for who asks for one. */
export function prefersPage(c: Context<AppEnv>): boolean {
  const wanted = accepts(c, {
    header: "Accept",
    supports: ["text/html", "application/json", "*/*"],
    default: "application/json",
  });
  return wanted === "text/html";
}

/** A private track without its secret is the same page as no track at all. */
export function pageNotFound(c: Context<AppEnv>): Response {
  if (!prefersPage(c)) return notFound("Page");
  const page = (
    <Page env={c.env} title="Not found · Soundpost">
      <section class="card message">
        <p class="eyebrow">404</p>
        <h1>There is nothing here</h1>
        <p>The address may be mistyped, or what stood here is private or gone.</p>
        <a class="button" href={webUrl(c.env, "/")}>
          To the home page
        </a>
      </section>
    </Page>
  );
  return sendPage(c, page, { status: 404, cacheControl: "no-store" });
}
