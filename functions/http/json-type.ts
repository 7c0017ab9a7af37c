/** Hono leaves the charset out, and older clients guess. */
export const JSON_TYPE = "application/json; charset=utf-8";
