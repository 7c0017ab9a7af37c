import type { ListPeerOptions } from "./list-options.ts";

/** JSON in the first argument of the mix's peer. */
export interface MixPeerOptions extends Pick<ListPeerOptions, "databaseUrl" | "env"> {
  /** Viewers by the `Authorization` header of their requests. */
  sessions: Record<string, { userId: number; sessionId: number }>;
}

export interface MixPeerReady {
  port: number;
}
