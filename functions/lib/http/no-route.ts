import type { Context, Hono } from "hono";
import { HttpError } from "../errors/http-error.ts";
import type { AppEnv } from "./env.ts";
import { notFound } from "./errors.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE"];

/** Throws 405 with `Allow` if another method has a route, otherwise 404. */
export function refuseUnmatched(
  app: Hono<AppEnv>,
  c: Context<AppEnv>,
  isApi: (path: string) => boolean,
): never {
  const allowed = METHODS.filter((method) => app.router.match(method, c.req.path)[0].length);
  if (allowed.length) {
    const read = allowed.includes("GET") ? ["HEAD"] : [];
    // Only the API answers preflights.
    const asked = isApi(c.req.path) ? ["OPTIONS"] : [];
    throw new HttpError(405, [`${c.req.method} is not allowed here`], {
      Allow: [...read, ...allowed, ...asked].join(", "),
    });
  }
  return notFound("Resource");
}

/** RFC 9110 §15.5.20. The usual cause is a proxy that does not pass on `Host`. */
export function refuseHost(c: Context<AppEnv>): never {
  const { host } = new URL(c.req.url);
  throw new HttpError(421, [
    `There is no ${host} here. A proxy before the service must pass on the Host that clients send.`,
  ]);
}
