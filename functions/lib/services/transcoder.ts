import type { Env } from "../http/env.ts";

/** Milliseconds. It answers at once, but a container may have to start first. */
const PATIENCE_MS = 60_000;

/** Number of transcoders: `pool-0`, `pool-1` and so on. Locally each has an address. */
export const poolSize = (env: Pick<Env, "TRANSCODERS" | "TRANSCODER_URLS">): number =>
  env.TRANSCODER_URLS ? addressesOf(env.TRANSCODER_URLS).length : Number(env.TRANSCODERS ?? 1);

export const transcoderName = (place: number): string => `pool-${place}`;

const addressesOf = (list: string): string[] => list.split(" ");

/** Asks one transcoder of the pool. On a deployment each is a container. */
export function askTranscoder(
  env: Pick<Env, "TRANSCODER" | "TRANSCODER_URLS" | "TRANSCODER_SECRET">,
  name: string,
  path: string,
  request: RequestInit,
): Promise<Response> {
  const signal = request.signal ?? AbortSignal.timeout(PATIENCE_MS);
  const asked = { ...request, method: "POST", headers: headersFor(env, request), signal };
  if (env.TRANSCODER_URLS) {
    const place = Number(name.slice(name.lastIndexOf("-") + 1));
    return fetch(`${addressesOf(env.TRANSCODER_URLS)[place]}${path}`, asked);
  }
  if (!env.TRANSCODER) throw new Error("neither TRANSCODER_URLS nor the TRANSCODER binding is set");
  const container = env.TRANSCODER.get(env.TRANSCODER.idFromName(name));
  return container.fetch(`http://transcoder${path}`, asked as never) as unknown as Promise<Response>;
}

function headersFor({ TRANSCODER_SECRET }: Pick<Env, "TRANSCODER_SECRET">, { headers: given }: RequestInit) {
  const headers = new Headers(given);
  if (TRANSCODER_SECRET) headers.set("Authorization", `Bearer ${TRANSCODER_SECRET}`);
  return headers;
}
