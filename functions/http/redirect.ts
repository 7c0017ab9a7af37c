import type { Context } from "hono";
import * as z from "zod";

/** The body of a redirect, for clients that follow none by themselves. */
export const Redirect = z.strictObject({ status: z.string(), location: z.url() }).meta({ id: "Redirect" });

/** To an address that is the caller's alone. */
export const redirectTo = (c: Context, location: string) =>
  c.json({ status: "302 - Found", location }, 302, {
    Location: location,
    "Cache-Control": "private, no-store",
  });
