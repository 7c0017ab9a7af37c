import type { Context } from "hono";
import type { ErrorType } from "../../lib/errors/error-types.ts";
import { addressOf } from "../../lib/http/address.ts";
import { hashSecret } from "../../lib/security/random.ts";
import { OAuthError } from "./errors.ts";
import type { Parameters } from "./form.ts";

/** A client's credentials, verified by the grant's statement. */
interface ClientCredentials {
  clientId: string;
  secretHash: string;
  /** Wrong guesses are counted by this network address. */
  address: string;
}

const CHALLENGE = { "WWW-Authenticate": 'Basic realm="token endpoint", charset="UTF-8"' };

export const invalidClient = (
  why = "the client is unknown or its secret is wrong",
  type?: ErrorType,
): OAuthError => new OAuthError("invalid_client", why, { headers: CHALLENGE, type });

const IN_QUERY =
  "client credentials are not accepted in the query; send them in the form or in the header Authorization: Basic";
const BASIC_ONLY =
  "client_credentials needs the client's credentials in the header Authorization: Basic, not in the body: base64 of client_id:client_secret";
const NONE_SENT = "no client credentials were sent: client_id and client_secret are needed in the form";
const NO_HEADER =
  "no client credentials were sent: client_credentials needs the header Authorization: Basic, with base64 of client_id:client_secret";
const MALFORMED =
  "the header Authorization is not of the form Basic base64(client_id:client_secret); OAuth and Bearer are for the API";
const OTHER_CLIENT =
  "the header Authorization and client_id name different clients; leave client_id out of the form";

/**
 * Read from the Authorization header or the body: never both, never the query. RFC 6749 §2.3.1. `body` reads
 * only the body: older clients use the header for other things.
 */
export function clientCredentials(
  c: Context,
  form: Parameters,
  allowed: "basic" | "basic or body" | "body",
): ClientCredentials {
  if (c.req.query("client_id") !== undefined || c.req.query("client_secret") !== undefined)
    throw invalidClient(IN_QUERY, "client-credentials-in-query");
  const header = allowed === "body" ? undefined : c.req.header("Authorization");
  const inBody = form.client_secret !== undefined;
  if (header !== undefined && inBody) {
    throw new OAuthError(
      "invalid_request",
      "client credentials were sent both in the header and in the body; send them once",
      { type: "two-client-authentications" },
    );
  }
  if (header === undefined && inBody && allowed === "basic")
    throw invalidClient(BASIC_ONLY, "client-credentials-in-body");
  const sent = header !== undefined ? fromHeader(header) : allowed === "basic" ? undefined : fromBody(form);
  if (!sent && header !== undefined) throw invalidClient(MALFORMED, "malformed-basic-header");
  if (!sent) throw invalidClient(allowed === "basic" ? NO_HEADER : NONE_SENT, "missing-client-credentials");
  if (header !== undefined && form.client_id !== undefined && form.client_id !== sent.id)
    throw invalidClient(OTHER_CLIENT, "different-clients");
  return { clientId: sent.id, secretHash: hashSecret(sent.secret), address: addressOf(c.req) };
}

function fromBody({ client_id, client_secret }: Parameters) {
  return client_id !== undefined && client_secret !== undefined
    ? { id: client_id, secret: client_secret }
    : undefined;
}

/** Decodes base64, splits at the first colon and form-decodes each half: RFC 6749 §2.3.1. */
function fromHeader(header: string) {
  const [, encoded] = /^basic ([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim()) ?? [];
  if (!encoded) return undefined;
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    const decoded = { id: formDecode(id), secret: formDecode(secret) };
    return decoded.id.includes("\0") ? undefined : decoded;
  } catch {
    return undefined;
  }
}

const formDecode = (text: string) => decodeURIComponent(text.replaceAll("+", " "));
