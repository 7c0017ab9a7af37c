import * as z from "zod";
import type { ConnectionRow } from "../../../db/queries/connections.ts";
import { apiUrl, type Links, timestamp, urn } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";

export const Connection = z
  .strictObject({
    id: z.int(),
    kind: z.literal("connection"),
    urn: z.string(),
    uri: z.url(),
    created_at: z.string(),
    service: z.string().describe("Name of the other service, such as `facebook_page`."),
    type: z.string().describe("The same as `service`."),
    display_name: z.string().describe("Name of the profile at the service."),
    post_favorite: z.boolean(),
    post_publish: z.boolean(),
  })
  .meta({ id: "Connection" });
export type Connection = z.infer<typeof Connection>;

export const Connections = collectionOf(Connection).meta({ id: "Connections" });

export const UnsavedConnection = z
  .strictObject({
    authorize_url: z
      .url()
      .describe("Address at the other service, for a browser. It works once, for ten minutes."),
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
