import type { Env } from "../../../functions/http/env.ts";

/** JSON in the peer's first argument. */
export interface ListPeerOptions {
  databaseUrl: string;
  sessionId: number;
  userId: number;
  env: Pick<Env, "API_URL" | "WEB_URL" | "URN_NAMESPACE" | "SIGNING_KEYS" | "SEAL_KEYS">;
}

export interface ListPeerReady {
  port: number;
  token: string;
}
