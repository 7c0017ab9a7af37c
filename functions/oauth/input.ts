import * as z from "zod";

// Schemas for the API document only. Handlers parse these bodies by RFC 6749, which refuses differently.

const clientFields = {
  client_id: z.string().optional().describe("Or send `Authorization: Basic`, with the secret."),
  client_secret: z.string().optional().describe("Send it in the header or in the form, not in both."),
};

export const TokenRequest = z
  .object({
    grant_type: z.enum(["authorization_code", "refresh_token", "client_credentials"]),
    code: z.string().optional().describe("The authorization code, for `authorization_code`."),
    redirect_uri: z.string().optional().describe("The same as at `/authorize`."),
    code_verifier: z.string().optional().describe("The PKCE verifier of the code."),
    refresh_token: z
      .string()
      .optional()
      .describe("For `refresh_token`. It works once; the reply holds a new one."),
    scope: z.string().optional().describe("No scopes are defined."),
    ...clientFields,
  })
  .describe("`client_credentials` accepts the client's credentials in `Authorization: Basic` only.");

export const TokenForm = z.object({
  token: z.string().describe("An access token or a refresh token of this client."),
  token_type_hint: z.string().optional().describe("Ignored: the token itself shows its type."),
  ...clientFields,
});

export const SignOutBody = z.object({ access_token: z.string() });
