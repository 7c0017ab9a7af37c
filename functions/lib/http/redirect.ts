import type { Context } from "hono";
import * as z from "zod";

/** The body of a redirect, for clients that do not follow redirects. */
export const Redirect = z.strictObject({ status: z.string(), location: z.url() }).meta({ id: "Redirect" });

/** Redirects to an address that only the caller may know. */
export const redirectTo = (c: Context, location: string) =>
  c.json({ status: "302 - Found", location }, 302, {
    Location: location,
    "Cache-Control": "private, no-store",
  });
