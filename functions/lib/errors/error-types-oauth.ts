/** Errors of the authorization server that have their own explanation. */
export const OAUTH_ERROR_TYPES = {
  "invalid-request": {
    status: 400,
    code: "invalid_request",
    cause: "A parameter is missing, malformed, or was sent twice.",
    remedy: "`error_description` names it. Send a form (`application/x-www-form-urlencoded`), not JSON.",
  },
  "redirect-uri-not-registered": {
    status: 400,
    cause: "The `redirect_uri` at `/authorize` is not one of the app's own, letter by letter.",
    remedy:
      "Send exactly a registered address, slash and port included, or add this one to the app at `/you/apps`. `http://127.0.0.1` takes any port.",
  },
  "missing-code-challenge": {
    status: 400,
    code: "invalid_request",
    cause: "The request to `/authorize` has no PKCE challenge, or one that is not S256.",
    remedy:
      "Make a random `code_verifier` of 43 to 128 characters, and send `code_challenge`, the base64url of its SHA-256, with `code_challenge_method=S256`.",
  },
  "unsupported-response-type": {
    status: 400,
    code: "unsupported_response_type",
    cause: "`/authorize` issues codes only; tokens never travel in an address.",
    remedy: "Send `response_type=code` with PKCE, and exchange the code at `/oauth/token`.",
  },
  "missing-code-verifier": {
    status: 400,
    code: "invalid_grant",
    cause: "The code was asked for with a PKCE challenge, and the exchange has no `code_verifier`.",
    remedy:
      "Send the verifier whose challenge went to `/authorize`. The code is still good, within its minute.",
  },
  "wrong-code-verifier": {
    status: 400,
    code: "invalid_grant",
    cause: "The `code_verifier` does not fit the challenge of this code.",
    remedy:
      "Send the verifier itself, not its hash, and the one of this very sign-in. After five wrong ones the code is void.",
  },
  "unexpected-code-verifier": {
    status: 400,
    code: "invalid_request",
    cause: "A `code_verifier` was sent for a code that was asked for without a challenge.",
    remedy: "Send `code_challenge` to `/authorize` first, or leave the verifier out.",
  },
  "wrong-redirect-uri": {
    status: 400,
    code: "invalid_grant",
    cause: "The `redirect_uri` of the exchange differs from the one that `/authorize` got.",
    remedy: "Send the same text, letter by letter. The code is still good, within its minute.",
  },
  "invalid-grant": {
    status: 400,
    code: "invalid_grant",
    cause: "The code or refresh token is not one of this app's, or was revoked.",
    remedy: "Send the user to `/authorize` again. Send a code or token only with the app it was issued to.",
  },
  "used-code": {
    status: 400,
    code: "invalid_grant",
    cause: "The code was exchanged before; it works once.",
    remedy:
      "Use the tokens of the first exchange. A later repetition ends them, because somebody else may have the code: then send the user to `/authorize` again.",
  },
  "expired-code": {
    status: 400,
    code: "invalid_grant",
    cause: "The code is older than a minute, or its user has signed out since.",
    remedy: "Send the user to `/authorize` again, and exchange the code at once.",
  },
  "used-refresh-token": {
    status: 400,
    code: "invalid_grant",
    cause: "The refresh token was used before; each works once.",
    remedy:
      "Send the refresh token of the newest reply, and let one process refresh at a time. A later repetition ends the session: then send the user to `/authorize` again.",
  },
  "expired-refresh-token": {
    status: 400,
    code: "invalid_grant",
    cause: "The refresh token has expired.",
    remedy: "Send the user to `/authorize` again; for an app's own token, ask with `client_credentials`.",
  },
  "revoked-session": {
    status: 400,
    code: "invalid_grant",
    cause: "The refresh token's session has ended: signed out, revoked, or taken from the app by its user.",
    remedy: "Discard both tokens, and send the user to `/authorize` again.",
  },
  "invalid-client": {
    status: 401,
    code: "invalid_client",
    cause:
      "The `client_id` is unknown, or the secret is wrong, or a public app sent one, which has none, or operators revoked the app.",
    remedy:
      "Copy both from `/you/apps`, which also says if the app was revoked. A lost secret is replaced there; the old one works for a week.",
  },
  "missing-client-credentials": {
    status: 401,
    code: "invalid_client",
    cause: "The app did not say who it is.",
    remedy:
      "Send `client_id` and `client_secret` in the form; for `client_credentials`, send `Authorization: Basic` instead. Only an app that was registered as public sends `client_id` alone.",
  },
  "client-credentials-in-body": {
    status: 401,
    code: "invalid_client",
    cause: "With `client_credentials`, the app's id and secret came in the body.",
    remedy:
      "Send `Authorization: Basic`, then `client_id:client_secret` in base64, and leave both out of the form.",
  },
  "client-credentials-in-query": {
    status: 401,
    code: "invalid_client",
    cause: "The app's id or secret came in the address, where logs keep it.",
    remedy: "Send them in the form or in `Authorization: Basic`, and replace the secret at `/you/apps`.",
  },
  "malformed-basic-header": {
    status: 401,
    code: "invalid_client",
    cause: "The `Authorization` header is not `Basic` with base64 of `client_id:client_secret`.",
    remedy:
      "Join id and secret with a colon, encode the whole in base64, and send it after `Basic` and a space. `OAuth` and `Bearer` are for the API.",
  },
  "two-client-authentications": {
    status: 400,
    code: "invalid_request",
    cause: "The app's credentials came both in the header and in the body.",
    remedy: "Send them once.",
  },
  "different-clients": {
    status: 401,
    code: "invalid_client",
    cause: "The header `Authorization` and `client_id` name different apps.",
    remedy: "Leave `client_id` out of the form, or send the header's own.",
  },
  "unsupported-grant-type": {
    status: 400,
    code: "unsupported_grant_type",
    cause: "This endpoint does not know the `grant_type`; `password` and `implicit` are not offered.",
    remedy:
      "Send `authorization_code` for a user, `refresh_token` for a new pair, or `client_credentials` for public resources.",
  },
  "unauthorized-client": {
    status: 400,
    code: "unauthorized_client",
    cause: "The app is public: it has no secret, so it gets no token of its own.",
    remedy: "Let a user sign in with PKCE, or register a confidential app for your server.",
  },
  "invalid-scope": {
    status: 400,
    code: "invalid_scope",
    cause: "A scope was asked for that does not exist, or that exceeds what the user granted.",
    remedy:
      "Ask for the scopes that the operations of the reference name, separated by spaces, or leave `scope` out. A refresh may only narrow it, and an app's own token has none.",
  },
  "rate-limit-exceeded": {
    status: 429,
    code: "rate_limit_exceeded",
    cause: "The app or the address asked for too many tokens, or sent too many wrong secrets.",
    remedy:
      "Wait for the seconds in `Retry-After`. Keep an app's own token for its whole hour, and share it among your servers.",
  },
  "temporarily-unavailable": {
    status: 503,
    code: "temporarily_unavailable",
    cause: "The service cannot issue tokens at the moment.",
    remedy: "Keep your tokens, and repeat the request after `Retry-After` seconds.",
  },
  "server-error": {
    status: 500,
    code: "server_error",
    cause: "A fault of the authorization server; the request is not to blame.",
    remedy: "Keep your tokens, and report the reply's `X-Request-Id`.",
  },
} as const;
