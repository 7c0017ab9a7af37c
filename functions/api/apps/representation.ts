import * as z from "zod";
import type { AppRow, OwnAppRow } from "../../../db/queries/apps.ts";
import { apiUrl, type Links, timestamp, webUrl } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";

const record = {
  id: z.int(),
  kind: z.literal("app"),
  name: z.string(),
  uri: z.url(),
  permalink_url: z.url(),
  external_url: z.url().nullable(),
  creator: z.string().describe("Username of the developer."),
};

export const App = z.strictObject(record).meta({ id: "App" });
export type App = z.infer<typeof App>;

const own = {
  ...record,
  client_id: z.string(),
  redirect_uris: z.array(z.string()),
  previous_secret_expires_at: z
    .string()
    .nullable()
    .describe("End of the previous secret's validity; null if there is none."),
};

export const OwnApp = z.strictObject(own).meta({ id: "OwnApp" });
export type OwnApp = z.infer<typeof OwnApp>;

export const OwnApps = collectionOf(OwnApp).meta({ id: "OwnApps" });

export const AppWithSecret = z
  .strictObject({
    ...own,
    client_secret: z.string().describe("Shown only once: the service stores just its hash."),
  })
  .meta({ id: "AppWithSecret" });
export type AppWithSecret = z.infer<typeof AppWithSecret>;

export function representApp(app: AppRow, links: Links): App {
  return {
    id: app.id,
    kind: "app",
    name: app.name,
    uri: apiUrl(links, `/apps/${app.id}`),
    permalink_url: webUrl(links, `/apps/${app.permalink}`),
    external_url: app.external_url,
    creator: app.creator,
  };
}

export function representOwnApp(app: OwnAppRow, links: Links): OwnApp {
  const until = app.previous_secret_expires_at;
  return {
    ...representApp(app, links),
    client_id: app.client_id,
    redirect_uris: app.redirect_uris,
    previous_secret_expires_at: until === null ? null : timestamp(until),
  };
}
