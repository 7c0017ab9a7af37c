import type { PeerOptions, PeerReady } from "./server.ts";
import { spawnPeer } from "./spawn.ts";

/** `oidc-provider` on Node, with its tables beside ours in the same PostgreSQL. */
export const startPeer = (options: PeerOptions) => spawnPeer<PeerReady>("server.ts", options);
