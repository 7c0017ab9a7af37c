import type { JWK } from "jose";
import type { Env } from "../../../functions/lib/http/env.ts";

/** JSON in the peer's first argument. */
export interface ApiPeerOptions {
  databaseUrl: string;
  /** Keys and addresses of the tokens that our Worker accepts. */
  tokens: TokenRules;
  env: Pick<Env, "API_URL" | "WEB_URL" | "URN_NAMESPACE" | "SIGNING_KEYS" | "SEAL_KEYS">;
}

export interface TokenRules {
  /** Public parts. */
  keys: JWK[];
  issuer: string;
  audience: string;
}

export interface ApiPeerReady {
  port: number;
}
