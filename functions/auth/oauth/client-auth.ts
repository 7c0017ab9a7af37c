import type { Context } from "hono";
import type { ErrorType } from "../../lib/errors/error-types.ts";
import { addressOf } from "../../lib/http/address.ts";
import { hashSecret } from "../../lib/security/random.ts";
import { OAuthError } from "./errors.ts";
import type { Parameters } from "./form.ts";

/** A client's credentials, verified by the grant's statement. */
export interface ClientCredentials {
  clientId: string;
  /** Null if only the id was sent, as public clients do. */
  secretHash: string | null;
  /** Wrong guesses are counted by this network address. */
  address: string;
}

const CHALLENGE = { "WWW-Authenticate": 'Basic realm="token endpoint", charset="UTF-8"' };

const invalidClient = (
  why = "the client is unknown or its secret is wrong; a public app sends no secret",
  type?: ErrorType,
): OAuthError => new OAuthError("invalid_client", why, { headers: CHALLENGE, type });

const IN_QUERY =
  "client credentials are not accepted in the query; send them in the form or in the header Authorization: Basic";
const BASIC_ONLY =
  "client_credentials needs the client's credentials in the header Authorization: Basic, not in the body: base64 of client_id:client_secret";
const NONE_SENT =
  "no client credentials were sent: client_id and client_secret are needed in the form, and client_credentials needs the header Authorization: Basic";
const ID_ALONE = "only a public app sends client_id alone";
const NOT_HERE = "public apps, which have none, use /authorize and /oauth/token";
const MALFORMED =
  "the header Authorization is not of the form Basic base64(client_id:client_secret); OAuth and Bearer are for the API";
const OTHER_CLIENT =
  "the header Authorization and client_id name different clients; leave client_id out of the form";

/** `basic`: in the header. `body`: in the form. `none`: the id in the form without a secret, for public clients. */
type Method = "basic" | "body" | "none";

/**
 * Reads from the Authorization header or the body: never both, never the query. RFC 6749 §2.3.1. Without the method
 * `basic` the header is ignored: older clients use it for other things.
 */
export function clientCredentials(c: Context, form: Parameters, ...methods: Method[]): ClientCredentials {
  if (c.req.query("client_id") !== undefined || c.req.query("client_secret") !== undefined)
    throw invalidClient(IN_QUERY, "client-credentials-in-query");
  const header = methods.includes("basic") ? c.req.header("Authorization") : undefined;
  const inBody = form.client_secret !== undefined;
  if (header !== undefined && inBody) {
    throw new OAuthError(
      "invalid_request",
      "client credentials were sent both in the header and in the body; send them once",
      { type: "two-client-authentications" },
    );
  }
  if (inBody && !methods.includes("body")) throw invalidClient(BASIC_ONLY, "client-credentials-in-body");
  const sent = header === undefined ? fromBody(form, methods.includes("none")) : fromHeader(header);
  if (!sent && header !== undefined) throw invalidClient(MALFORMED, "malformed-basic-header");
  if (!sent) throw noCredentials(methods.includes("none") ? ID_ALONE : NOT_HERE);
  if (header !== undefined && form.client_id !== undefined && form.client_id !== sent.id)
    throw invalidClient(OTHER_CLIENT, "different-clients");
  const secretHash = sent.secret === null ? null : hashSecret(sent.secret);
  return { clientId: sent.id, secretHash, address: addressOf(c.req) };
}

/** Throws what a statement's refusal of these credentials means. */
export function refuseCredentials({ secretHash }: Pick<ClientCredentials, "secretHash">): never {
  throw secretHash === null ? noCredentials(ID_ALONE) : invalidClient();
}

const noCredentials = (advice: string) =>
  invalidClient(`${NONE_SENT}; ${advice}`, "missing-client-credentials");

function fromBody({ client_id: id, client_secret: secret }: Parameters, isPublicAllowed: boolean) {
  if (id === undefined) return undefined;
  if (secret !== undefined) return { id, secret };
  return isPublicAllowed ? { id, secret: null } : undefined;
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
