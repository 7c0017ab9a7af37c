import * as z from "zod";
import {
  ACCESS_TOKEN,
  CLIENT_ID,
  CLIENT_SECRET,
  CODE,
  REFRESH_TOKEN,
} from "../../lib/http/document/example-secrets.ts";
import { about } from "../../lib/text/fields.ts";

// Schemas for the API document only. Handlers parse these bodies by RFC 6749, which refuses differently.

const clientFields = {
  client_id: z
    .string()
    .optional()
    .meta(about("Public apps send it alone. Others may send `Authorization: Basic` instead.", CLIENT_ID)),
  client_secret: z
    .string()
    .optional()
    .meta(about("Send it in the header or in the form, not in both. Public apps have none.", CLIENT_SECRET)),
};

export const TokenRequest = z
  .object({
    grant_type: z
      .enum(["authorization_code", "refresh_token", "client_credentials"])
      .meta(about("Kind of grant that is exchanged.", "authorization_code")),
    code: z.string().optional().meta(about("The authorization code, for `authorization_code`.", CODE)),
    redirect_uri: z
      .string()
      .optional()
      .meta(about("The same as at `/authorize`.", "https://player.example/callback")),
    code_verifier: z
      .string()
      .optional()
      .meta(about("The PKCE verifier of the code.", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")),
    refresh_token: z
      .string()
      .optional()
      .meta(about("For `refresh_token`. It works once; the reply holds a new one.", REFRESH_TOKEN)),
    scope: z
      .string()
      .optional()
      .meta(
        about("Only for `refresh_token`: less than was granted, for the new access token alone.", "read"),
      ),
    ...clientFields,
  })
  .describe("`client_credentials` accepts the client's credentials in `Authorization: Basic` only.")
  .meta({
    examples: [
      {
        grant_type: "authorization_code",
        code: CODE,
        redirect_uri: "https://player.example/callback",
        code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
      },
    ],
  });

export const OlderTokenRequest = z
  .object({
    grant_type: z
      .enum(["authorization_code", "refresh_token", "password", "client_credentials"])
      .meta(about("Kind of grant that is exchanged.", "authorization_code")),
    client_id: z.string().meta(about("In the form, for every grant.", CLIENT_ID)),
    client_secret: z.string().meta(about("In the form, for every grant.", CLIENT_SECRET)),
    code: z.string().optional().meta(about("The authorization code, for `authorization_code`.", CODE)),
    redirect_uri: z
      .string()
      .optional()
      .meta(about("The same as at `/connect`.", "https://player.example/callback")),
    code_verifier: z
      .string()
      .optional()
      .meta(
        about(
          "The PKCE verifier, if `/connect` got a challenge.",
          "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        ),
      ),
    refresh_token: z.string().optional().meta(about("For `refresh_token`. It works once.", REFRESH_TOKEN)),
    username: z.string().optional().meta(about("The username or the e-mail address, for `password`.", "ana")),
    password: z
      .string()
      .optional()
      .meta(about("The user's password, for `password`.", "correct horse battery staple")),
    scope: z.enum(["", "*", "non-expiring"]).optional().meta(about("All mean the same.", "*")),
  })
  .meta({
    examples: [
      {
        grant_type: "authorization_code",
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        code: CODE,
        redirect_uri: "https://player.example/callback",
      },
    ],
  });

export const TokenForm = z.object({
  token: z.string().meta(about("An access token or a refresh token of this client.", REFRESH_TOKEN)),
  token_type_hint: z
    .string()
    .optional()
    .meta(about("Ignored: the token itself shows its type.", "refresh_token")),
  ...clientFields,
});

export const SignOutBody = z.object({
  access_token: z.string().meta(about("The token whose session ends.", ACCESS_TOKEN)),
});

export const AuthorizeQuery = z.object({
  client_id: z.string().describe("The app's, from `/you/apps`.").meta({ example: CLIENT_ID }),
  redirect_uri: z
    .string()
    .describe("A registered address, letter by letter. `http://127.0.0.1` and `http://[::1]` take any port.")
    .meta({ example: "https://player.example/callback" }),
  response_type: z.enum(["code"]).describe("Tokens never travel in an address."),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .describe("PKCE: the base64url of the SHA-256 of a random `code_verifier` of 43 to 128 characters.")
    .meta({ example: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" }),
  code_challenge_method: z.enum(["S256"]).describe("The only one."),
  state: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      "Random text, returned unchanged: compare it, so that nobody else begins a sign-in for your user.",
    ),
  display: z.enum(["popup"]).optional().describe("A small page, for pop-ups and phones."),
  scope: z
    .string()
    .optional()
    .describe(
      "The scopes that the app needs, separated by spaces, such as `read tracks`. Each operation names its scope. Leave it out for everything.",
    )
    .meta({ example: "read tracks" }),
});

export const ConnectQuery = AuthorizeQuery.extend({
  response_type: z
    .enum(["code", "token", "code_and_token", "token_and_code"])
    .describe("`code` is redeemed at `/oauth2/token`. A token is never sent to an app's own scheme."),
  code_challenge: AuthorizeQuery.shape.code_challenge
    .optional()
    .describe("PKCE, optional here: the base64url of the SHA-256 of a random `code_verifier`."),
  code_challenge_method: AuthorizeQuery.shape.code_challenge_method
    .optional()
    .describe("Needed with a `code_challenge`."),
  scope: z.enum(["", "*", "non-expiring"]).optional().describe("All mean the same."),
});
