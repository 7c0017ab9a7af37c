import type { Context } from "hono";
import type { Database } from "../../../db/client.ts";
import { mediaPrefix } from "../../../db/objects/keys.ts";
import {
  findMedia,
  findWaveform,
  type Media,
  type OpenMedia,
  type PlayableMedia,
} from "../../../db/queries/media.ts";
import { LruCache } from "../../lib/http/cache.ts";
import { countryOf } from "../../lib/http/country.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import type { MediaGrant } from "./token.ts";

/** Milliseconds that a right is cached. Caches add `MAX_AGE_S`, so both end within a minute. */
const HOLDS_MS = 28_000;

/** Seconds. */
const MAX_AGE_S = 30;

type Ask<Found> = (
  db: Database,
  grant: MediaGrant,
  country: string | undefined,
) => Promise<Found | undefined>;

/** Rights to play a media URL. A takedown ends them and their cached replies within a minute. */
class Rights<Found extends OpenMedia> {
  readonly #known = new LruCache<string, { found: Found; askedAtMs: number }>({
    maxBytes: 2 * 2 ** 20,
    bytesOf: (key) => 2 * key.length + 1_500,
  });
  readonly #ask: Ask<Found>;

  constructor(ask: Ask<Found>) {
    this.#ask = ask;
  }

  /** Queries the database, and throws 404 without a right. */
  async check(c: Context<AppEnv>, grant: MediaGrant): Promise<Found> {
    const askedAtMs = Date.now();
    const country = countryOf(c.req);
    const found = await this.#ask(databaseFor(c, grant), grant, country);
    if (!found?.for_all) this.#known.delete(sharedKey(grant));
    if (found?.media_prefix !== prefixOf(grant)) return notFound("Media");
    const key = found.for_all ? sharedKey(grant) : listenerKey(grant, country);
    if (!grant.private) this.#known.set(key, { found, askedAtMs });
    return found;
  }

  /** Uses the cache. A private track queries the database, so that a new secret ends its URLs at once. */
  async checkCached(c: Context<AppEnv>, grant: MediaGrant): Promise<Found> {
    if (grant.private) return this.check(c, grant);
    const known = this.#known.get(sharedKey(grant)) ?? this.#known.get(listenerKey(grant, countryOf(c.req)));
    const heldMs = HOLDS_MS - c.var.db.lagMs;
    const holds = known?.found.media_prefix === prefixOf(grant) && Date.now() - known.askedAtMs < heldMs;
    return holds ? known.found : this.check(c, grant);
  }
}

/** Only the primary sees a replaced secret at once. */
const databaseFor = ({ var: { db } }: Context<AppEnv>, grant: MediaGrant): Database =>
  grant.private ? db : db.forVisitors();

const sharedKey = ({ trackId }: MediaGrant): string => String(trackId);

const listenerKey = (grant: MediaGrant, country: string | undefined): string =>
  JSON.stringify([grant.trackId, grant.listenerId, grant.secretPrefix, grant.openedBy, country]);

const audio = new Rights(findMedia);
export const waveforms = new Rights(findWaveform);

export type FinishedMedia = PlayableMedia & { media: Media };

export const playableNow = async (c: Context<AppEnv>, grant: MediaGrant): Promise<PlayableMedia> =>
  fitting(grant, await audio.check(c, grant));

export const playable = async (c: Context<AppEnv>, grant: MediaGrant): Promise<PlayableMedia> =>
  fitting(grant, await audio.checkCached(c, grant));

/** Queries again if the cached right is from the time of the encode. */
export async function finished(c: Context<AppEnv>, grant: MediaGrant): Promise<FinishedMedia> {
  const cached = await playable(c, grant);
  const { media, ...found } = cached.media ? cached : await playableNow(c, grant);
  return { ...found, media: media ?? notFound("Media") };
}

const fitting = ({ rendition }: MediaGrant, found: PlayableMedia): PlayableMedia =>
  found.access === "preview" && rendition !== "preview" ? notFound("Media") : found;

/** Cached replies expire with the URL, or earlier. */
export function cacheControl(grant: MediaGrant, { for_all }: OpenMedia): string {
  if (grant.private) return "private, no-cache";
  const leftS = grant.expiresAtS ? Math.floor(grant.expiresAtS - Date.now() / 1000) : MAX_AGE_S;
  const maxAgeS = Math.max(0, Math.min(MAX_AGE_S, leftS));
  return `${for_all ? "public" : "private"}, max-age=${maxAgeS}, must-revalidate`;
}

export const prefixOf = ({ trackId, lease }: MediaGrant): string => mediaPrefix(trackId, lease);
