import { readableByPages } from "../../../lib/http/cors.ts";

/** Lets pages of other sites read a reply. */
export function readable(reply: Response): Response {
  for (const [name, value] of Object.entries(readableByPages)) reply.headers.set(name, value);
  return reply;
}
