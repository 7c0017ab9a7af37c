import type { Context } from "hono";

/** Whether a request only reads, so that repeating it is safe and needs no `Idempotency-Key`. */
export const isRead = ({ req }: Context): boolean => req.method === "GET" || req.method === "HEAD";
