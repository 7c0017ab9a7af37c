import * as z from "zod";
import type { ConnectionRow } from "../../../db/queries/connections.ts";
import { apiUrl, type Links, timestamp, urn } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";
import { CreatedAt, kindOf, resourceId, resourceUri, resourceUrn } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";

export const Connection = z
  .strictObject({
    id: resourceId(338914811904300),
    kind: kindOf("connection"),
    urn: resourceUrn("connections:338914811904300"),
    uri: resourceUri("me/connections/338914811904300"),
    created_at: CreatedAt,
    service: z.string().meta(about("Name of the other service, such as `facebook_page`.", "twitter")),
    type: z.string().meta(about("The same as `service`.", "twitter")),
    display_name: z.string().meta(about("Name of the profile at the service.", "Ana Torres")),
    post_favorite: z.boolean().meta(about("Whether your favorites are posted there.", false)),
    post_publish: z.boolean().meta(about("Whether your new public tracks are posted there.", true)),
  })
  .meta({ id: "Connection" });
export type Connection = z.infer<typeof Connection>;

export const Connections = collectionOf(Connection, "me/connections").meta({ id: "Connections" });

export const UnsavedConnection = z
  .strictObject({
    authorize_url: z
      .url()
      .meta(
        about(
          "Address at the other service, for a browser. It works once, for ten minutes.",
          "https://social.example/authorize?state=eyJh",
        ),
      ),
  })
  .meta({ id: "UnsavedConnection" });

export const representConnection = (connection: ConnectionRow, links: Links): Connection => ({
  id: connection.id,
  kind: "connection",
  urn: urn(links, "connections", connection.id),
  uri: apiUrl(links, `/me/connections/${connection.id}`),
  created_at: timestamp(connection.created_at),
  service: connection.service,
  type: connection.service,
  display_name: connection.display_name,
  post_favorite: connection.post_favorite,
  post_publish: connection.post_publish,
});
