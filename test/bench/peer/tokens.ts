import { createLocalJWKSet, jwtVerify } from "jose";
import type { Viewer } from "../../../functions/lib/http/env.ts";
import type { TokenRules } from "./api-options.ts";

/** One of our isolates keeps as many. Each statement asks whether the session lives. */
const KEPT_TOKENS = 5_000;

/** Verifies tokens like our Worker, each once. Returns `undefined` for those that it refuses. */
export function tokenVerifier({ keys, issuer, audience }: TokenRules) {
  const known = new Map<string, { viewer: Viewer; endsAtMs: number }>();
  const publicKeys = createLocalJWKSet({ keys });
  const verify = async (token: string) => {
    const { payload } = await jwtVerify(token, publicKeys, {
      issuer,
      audience,
      algorithms: ["ES256"],
      typ: "at+jwt",
      clockTolerance: 5,
      requiredClaims: ["sub", "client_id", "sid", "jti", "exp"],
    });
    const { sub = "", client_id, sid, exp = 0 } = payload;
    const userId = sub.startsWith("u:") ? Number(sub.slice(2)) : null;
    const viewer = { sessionId: Number(sid), clientId: String(client_id), userId };
    if (known.size >= KEPT_TOKENS) known.delete(known.keys().next().value ?? "");
    known.set(token, { viewer, endsAtMs: exp * 1000 });
    return viewer;
  };
  return (authorization = ""): Viewer | undefined | Promise<Viewer | undefined> => {
    const token = authorization.replace(/^(?:OAuth|Bearer) /, "");
    const { viewer, endsAtMs = 0 } = known.get(token) ?? {};
    return endsAtMs > Date.now() ? viewer : verify(token).catch(() => undefined);
  };
}
