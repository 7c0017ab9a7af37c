export * from "./counters.ts";
export * from "./favorites.ts";
export * from "./grants.ts";
export * from "./oauth.ts";
export * from "./people.ts";
export * from "./shares.ts";
export * from "./tracks.ts";
export * from "./uploads.ts";
