import * as z from "zod";
import { Offset, Paging } from "../../lib/http/paging.ts";
import { RedirectUri } from "../../lib/security/redirect-uri.ts";
import { about, flag, idText } from "../../lib/text/fields.ts";
import { ServiceName } from "./services.ts";

export const ConnectionId = z.object({ id: idText("connections").describe("Id or URN of the connection.") });

export const ConnectionPaging = z.object({ ...Paging.shape, ...Offset.shape });

const posting = {
  post_favorite: flag.optional().meta(about("Whether your favorites are posted there.", false)),
  post_publish: flag.optional().meta(about("Whether your new public tracks are posted there.", true)),
};

export const NewConnectionBody = z
  .object({
    service: ServiceName.describe("The other service."),
    redirect_uri: RedirectUri.meta(
      about(
        "The browser returns here with `success` added: https, an app's own scheme, or http on a loopback address.",
        "https://player.example/callback",
      ),
    ),
    ...posting,
  })
  .meta({ id: "NewConnection" });
export type NewConnectionBody = z.output<typeof NewConnectionBody>;

export const ConnectionChangesBody = z.object(posting).meta({ id: "ConnectionChanges" });
