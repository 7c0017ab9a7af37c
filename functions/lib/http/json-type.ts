/** Hono omits the charset, and older clients guess then. */
export const JSON_TYPE = "application/json; charset=utf-8";
