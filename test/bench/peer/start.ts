import type { PeerOptions, PeerReady } from "./server.ts";
import { spawnPeer } from "./spawn.ts";

/** Runs `oidc-provider` on Node, with its tables in our PostgreSQL. */
export const startPeer = (options: PeerOptions) => spawnPeer<PeerReady>("server.ts", options);
