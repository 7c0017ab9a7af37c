import type { Context } from "hono";
import * as z from "zod";
import { about } from "../text/fields.ts";

/** The body of a redirect, for clients that do not follow redirects. */
export const Redirect = z
  .strictObject({
    status: z.string().meta(about("`<status> - <reason>`", "302 - Found")),
    location: z
      .url()
      .meta(about("The address to go to.", "https://api.soundpost.example/tracks/338914811904001")),
  })
  .meta({ id: "Redirect" });

/** Redirects to a URL that only the caller may know. */
export const redirectTo = (c: Context, location: string) =>
  c.json({ status: "302 - Found", location }, 302, {
    Location: location,
    "Cache-Control": "private, no-store",
  });

/** Redirects to the resource that took the place of the one in the path. Clients may not keep it: it may move again. */
export const movedTo = (c: Context, location: string) =>
  c.json({ status: "301 - Moved Permanently", location }, 301, {
    Location: location,
    "Cache-Control": "private, no-cache",
  });
