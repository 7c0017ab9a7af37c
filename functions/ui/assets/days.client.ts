import "./days.ts";

/** Loaded by pages of accounts that show days. Pages of the site have `days.js` with their other scripts. */
