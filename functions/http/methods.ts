import type { Context } from "hono";

/** Whether a request only asks: what changes nothing may be sent twice, and needs no `Idempotency-Key`. */
export const isRead = ({ req }: Context): boolean => req.method === "GET" || req.method === "HEAD";
