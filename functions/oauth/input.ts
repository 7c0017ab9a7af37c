import * as z from "zod";

// Schemas for the API document only. Handlers parse these bodies by RFC 6749, which refuses differently.

const clientFields = {
  client_id: z.string().optional().describe("Or `Authorization: Basic`, with the secret."),
  client_secret: z.string().optional().describe("In the header or in the form, never in both."),
};

export const TokenRequest = z
  .object({
    grant_type: z.enum(["authorization_code", "refresh_token", "client_credentials"]),
    code: z.string().optional().describe("The authorization code, with `authorization_code`."),
    redirect_uri: z.string().optional().describe("As it was sent to `/authorize`."),
    code_verifier: z.string().optional().describe("The PKCE verifier of the code."),
    refresh_token: z
      .string()
      .optional()
      .describe("With `refresh_token`. It works once: the reply has a new one."),
    scope: z.string().optional().describe("No scopes are defined."),
    ...clientFields,
  })
  .describe("`client_credentials` takes the client's credentials by `Authorization: Basic` alone.");

export const TokenForm = z.object({
  token: z.string().describe("An access token or a refresh token of this client."),
  token_type_hint: z.string().optional().describe("Not looked at: the token itself tells."),
  ...clientFields,
});

export const SignOutBody = z.object({ access_token: z.string() });
