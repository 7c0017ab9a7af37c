import "./days.ts";

/** Loaded by pages of accounts that show days. Pages of the site have `days.ts` with their other scripts. */
