import * as z from "zod";
import { type AppRow, CLIENT_TYPES, type OwnAppRow } from "../../../db/queries/apps.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../../lib/http/document/example-secrets.ts";
import { apiUrl, type Links, timestamp, webUrl } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";
import { kindOf, pageUrl, resourceId, resourceUri } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";

const record = {
  id: resourceId(338914811904900),
  kind: kindOf("app"),
  name: z.string().meta(about("Name that people see.", "Night Player")),
  uri: resourceUri("apps/338914811904900"),
  permalink_url: pageUrl("apps/night-player"),
  external_url: z
    .url()
    .nullable()
    .meta(about("The app's own site; null without one.", "https://player.example")),
  creator: z.string().meta(about("Username of the developer.", "ana")),
};

/** An app as its tracks name it. */
export const MiniApp = z
  .strictObject({
    ...record,
    external_url: z
      .string()
      .nullable()
      .meta(about("The app's own site; null without one.", "https://player.example")),
  })
  .omit({ creator: true })
  .meta({ id: "MiniApp" });

export const App = z.strictObject(record).meta({ id: "App" });
export type App = z.infer<typeof App>;

const own = {
  ...record,
  client_id: z.string().meta(about("Public name of the app.", CLIENT_ID)),
  client_type: z
    .enum(CLIENT_TYPES)
    .meta(about("Whether the app has a secret: a `public` one has none.", "confidential")),
  redirect_uris: z
    .array(z.string())
    .meta(about("Addresses that users return to.", ["https://player.example/callback"])),
  previous_secret_expires_at: z
    .string()
    .nullable()
    .meta(about("When the previous secret expires; null if there is none.", null)),
  revoked_at: z
    .string()
    .nullable()
    .meta(
      about(
        "When the operators revoked the app. It gets no more tokens, and those it had have ended. Null if they did not.",
        null,
      ),
    ),
  revoked_for: z
    .string()
    .nullable()
    .meta(about("The operators' words to you about it; null if they left none.", null)),
};

export const OwnApp = z.strictObject(own).meta({ id: "OwnApp" });
export type OwnApp = z.infer<typeof OwnApp>;

export const OwnApps = collectionOf(OwnApp, "me/apps").meta({ id: "OwnApps" });

const secret = z.string().meta(about("Shown only once: the service stores just its hash.", CLIENT_SECRET));

export const AppWithSecret = z.strictObject({ ...own, client_secret: secret }).meta({ id: "AppWithSecret" });
export type AppWithSecret = z.infer<typeof AppWithSecret>;

export const RegisteredApp = z
  .strictObject({
    ...own,
    client_secret: secret
      .optional()
      .meta(
        about("Shown only once: the service stores just its hash. A public app has none.", CLIENT_SECRET),
      ),
  })
  .meta({ id: "RegisteredApp" });

export const representMiniApp = (app: Omit<AppRow, "creator" | "creator_permalink">, links: Links) => ({
  id: app.id,
  kind: "app" as const,
  name: app.name,
  uri: apiUrl(links, `/apps/${app.id}`),
  permalink_url: webUrl(links, `/apps/${app.permalink}`),
  external_url: app.external_url,
});

export function representApp(app: AppRow, links: Links): App {
  return {
    ...representMiniApp(app, links),
    creator: app.creator,
  };
}

/** A reply that was stored under an `Idempotency-Key` may lack a field that is newer. */
const orNull = (instant: string | null | undefined) => (instant ? timestamp(instant) : null);

export function representOwnApp(app: OwnAppRow, links: Links): OwnApp {
  return {
    ...representApp(app, links),
    client_id: app.client_id,
    client_type: app.client_type,
    redirect_uris: app.redirect_uris,
    previous_secret_expires_at: orNull(app.previous_secret_expires_at),
    revoked_at: orNull(app.revoked_at),
    revoked_for: app.revoked_for ?? null,
  };
}
