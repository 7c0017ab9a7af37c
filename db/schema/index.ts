export * from "./grants.ts";
export * from "./idempotency.ts";
export * from "./oauth.ts";
export * from "./people.ts";
export * from "./tracks.ts";
export * from "./uploads.ts";
