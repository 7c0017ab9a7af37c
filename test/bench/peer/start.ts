import { spawnPeer } from "./spawn.ts";
import type { PeerOptions, PeerReady } from "./token-options.ts";

/** Runs `oidc-provider` on Node, with its tables in our PostgreSQL. */
export const startPeer = (options: PeerOptions) => spawnPeer<PeerReady>("server.ts", options);
