import * as z from "zod";
import { CLIENT_TYPES } from "../../../db/queries/apps.ts";
import { RedirectUri } from "../../lib/security/redirect-uri.ts";
import { about, nameText, plainIdText } from "../../lib/text/fields.ts";
import { namesService } from "../../lib/text/look-alike.ts";

export const AppId = z.object({ id: plainIdText.describe("Id of the app.") });

/** Enough for one per platform and stage. More would be a mistake or a disguised wildcard. */
const MAX_REDIRECT_URIS = 20;

const ExternalUrl = z
  .string()
  .max(2000, "may have 2000 characters at most")
  .refine(
    (url) => /^https?:\/\/[\x21-\x7e]+$/i.test(url) && URL.canParse(url),
    "must be an address that begins with http:// or https://",
  )
  .meta({ example: "https://player.example" });

const ClientType = z
  .enum(CLIENT_TYPES)
  .meta(
    about(
      "`public` for apps on phones, desktops and in browsers, which cannot keep a secret: they have none, and sign users " +
        "in with PKCE. `confidential` for apps with a server. It cannot be changed (RFC 6749 §2.1).",
      "confidential",
    ),
  );

export const NAMES_SERVICE = "must not name this service";

/** The handler also refuses the instance's own name. */
export const NewAppBody = z
  .object({
    name: nameText(100)
      .min(1, "must not be empty")
      .refine((name) => !namesService(name), NAMES_SERVICE)
      .meta(about("Name that people see.", "Night Player")),
    client_type: ClientType.default("confidential"),
    external_url: ExternalUrl.nullish().describe("The app's own site."),
    redirect_uris: z
      .array(RedirectUri)
      .min(1, "must hold one address at least")
      .max(MAX_REDIRECT_URIS, `may hold ${MAX_REDIRECT_URIS} addresses at most`)
      .transform((uris) => [...new Set(uris)])
      .meta(
        about(
          "https, an app's own scheme, or http on a loopback address. On `127.0.0.1` and `[::1]` any port is accepted. An own scheme " +
            "is best a domain name in reverse order, such as `com.example.app`; those that other programs act on are refused.",
          ["https://player.example/callback"],
        ),
      ),
  })
  .meta({ id: "NewApp" });
export type NewAppBody = z.output<typeof NewAppBody>;
