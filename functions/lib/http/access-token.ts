import { importJWK, type JWK, type JWTPayload, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { PERSONAL_CLIENT } from "../../../db/queries/personal-tokens.ts";
import { BrokenSecret } from "../security/broken-secret.ts";
import { LruCache } from "./cache.ts";
import type { Env, Viewer } from "./env.ts";
import { limitsOf } from "./scopes.ts";

/** Seconds. The specification says "about 1 hour". */
export const ACCESS_TOKEN_TTL_S = 3600;

const CLOCK_TOLERANCE_S = 5;

type Issuer = Pick<Env, "JWT_KEYS" | "AUTH_URL" | "API_URL">;

/** The prefix keeps a user and an app of the same name apart. */
const SUBJECT = /^(?:u:[1-9][0-9]{0,15}|c:.+)$/;
/** Tells secret scanners what leaked. Other access tokens end within the hour. */
const PERSONAL_PREFIX = "pt_";

const SESSION = /^[1-9][0-9]{0,15}$/;

export async function issueAccessToken(
  issuer: Issuer,
  viewer: Viewer,
  scope = "",
  ttlS = ACCESS_TOKEN_TTL_S,
): Promise<string> {
  const [current] = keysOf(issuer);
  if (!current) throw new BrokenSecret("JWT_KEYS");
  const token = await new SignJWT({ client_id: viewer.clientId, sid: String(viewer.sessionId), scope })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: current.kid })
    .setIssuer(issuer.AUTH_URL)
    .setAudience(issuer.API_URL)
    .setSubject(viewer.userId === null ? `c:${viewer.clientId}` : `u:${viewer.userId}`)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${ttlS}s`)
    .sign(await signingKey(current));
  return viewer.clientId === PERSONAL_CLIENT ? PERSONAL_PREFIX + token : token;
}

/** Some 5,000 tokens. Caching is safe: verification is pure, and statements check the session. */
const verified = new LruCache<string, { viewer: Viewer; expiresAtMs: number }>({
  maxBytes: 4 * 2 ** 20,
  bytesOf: (token) => token.length + 300,
});

/**
 * Returns `undefined` for any invalid token, without SQL: junk never reaches the database. A cached token
 * returns synchronously.
 */
export function verifyAccessToken(
  token: string,
  issuer: Issuer,
): Viewer | undefined | Promise<Viewer | undefined> {
  const known = verified.get(token);
  if (known) return known.expiresAtMs > Date.now() ? known.viewer : undefined;
  return verifyAnew(token, issuer);
}

/** RFC 7235. */
const TOKEN = /^[\w.~+/-]{1,4096}=*$/;

async function verifyAnew(token: string, issuer: Issuer): Promise<Viewer | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const isPersonal = isPersonalToken(token);
  const claims = await claimsOf(isPersonal ? token.slice(PERSONAL_PREFIX.length) : token, issuer).catch(
    (error: unknown) => {
      if (error instanceof BrokenSecret) throw error;
    },
  );
  const { exp = Number.NaN } = claims ?? {};
  const viewer = claims && viewerOf(claims);
  if (!viewer || !Number.isFinite(exp) || (viewer.clientId === PERSONAL_CLIENT) !== isPersonal)
    return undefined;
  verified.set(token, { viewer, expiresAtMs: (exp + CLOCK_TOLERANCE_S) * 1000 });
  return viewer;
}

export const isPersonalToken = (token: string): boolean => token.startsWith(PERSONAL_PREFIX);

async function claimsOf(token: string, issuer: Issuer): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, ({ kid }) => publicKey(issuer, kid), {
    algorithms: ["ES256"],
    typ: "at+jwt",
    issuer: issuer.AUTH_URL,
    audience: issuer.API_URL,
    clockTolerance: CLOCK_TOLERANCE_S,
  });
  return payload;
}

/** RFC 9068. Checked by hand: these claims carry our own signature, and each new token costs time. */
function viewerOf({ sub, client_id, sid, jti, scope = "" }: JWTPayload): Viewer | undefined {
  if (!isText(sub) || !isText(client_id) || !isText(sid) || !isText(jti)) return undefined;
  if (!SUBJECT.test(sub) || !SESSION.test(sid) || typeof scope !== "string") return undefined;
  const userId = sub.startsWith("u:") ? Number(sub.slice(2)) : null;
  const scopes = limitsOf(scope);
  return { sessionId: Number(sid), clientId: client_id, userId, ...(scopes && { scopes }) };
}

const isText = (claim: unknown): claim is string => typeof claim === "string" && claim !== "";

const parsedKeys = new Map<string, JWK[]>();

function keysOf({ JWT_KEYS }: Pick<Issuer, "JWT_KEYS">): JWK[] {
  const known = parsedKeys.get(JWT_KEYS);
  if (known) return known;
  const keys = parsed(JWT_KEYS);
  if (!keys) throw new BrokenSecret("JWT_KEYS");
  parsedKeys.set(JWT_KEYS, keys);
  return keys;
}

const Jwks = z.object({
  keys: z.array(z.looseObject({ kid: z.string().min(1), kty: z.literal("EC"), d: z.string().min(1) })).min(1),
});

function parsed(text: string): JWK[] | undefined {
  try {
    return Jwks.parse(JSON.parse(text)).keys;
  } catch {
    return undefined;
  }
}

/** Throws `BrokenSecret` unless all signing keys work. Call it before a grant is used up. */
export async function checkJwtKeys(issuer: Pick<Issuer, "JWT_KEYS">): Promise<void> {
  await Promise.all(keysOf(issuer).map(signingKey));
}

type ImportedKey = ReturnType<typeof importJWK>;

const importKey = (key: JWK): ImportedKey =>
  importJWK(key, "ES256").catch((cause: unknown) => {
    throw new BrokenSecret("JWT_KEYS", { cause });
  });

const signingKeys = new WeakMap<JWK, ImportedKey>();

/** Cached, because importing a key takes as long as signing with it. */
function signingKey(key: JWK): ImportedKey {
  const imported = signingKeys.get(key) ?? importKey(key);
  signingKeys.set(key, imported);
  return imported;
}

const importedKeys = new WeakMap<JWK, ImportedKey>();

/** Chosen by `kid` among our own keys. Headers such as `jku` and `jwk` are never read. */
function publicKey(issuer: Issuer, kid: string | undefined): ImportedKey {
  const key = keysOf(issuer).find((candidate) => candidate.kid === kid);
  if (!key || !kid) throw new Error("unknown key");
  const known = importedKeys.get(key);
  if (known) return known;
  const { d: _private, ...publicPart } = key;
  const imported = importKey(publicPart);
  importedKeys.set(key, imported);
  return imported;
}

/** Public parts of the current, next and previous keys, for `jwks.json`. */
export const publicKeys = (issuer: Issuer): JWK[] =>
  keysOf(issuer).map(({ d: _private, ...key }) => ({ ...key, alg: "ES256", use: "sig" }));
