/** Hono omits the charset, which older clients would guess. */
export const JSON_TYPE = "application/json; charset=utf-8";
