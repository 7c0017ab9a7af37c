import type { Env } from "../http/env.ts";

/** Milliseconds. It answers at once, but a container may have to start first. */
const PATIENCE_MS = 60_000;

/** Locally there is one transcoder. On a deployment each `instance` is a container. */
export function askTranscoder(
  env: Pick<Env, "TRANSCODER" | "TRANSCODER_URL" | "TRANSCODER_SECRET">,
  instance: string,
  path: string,
  request: RequestInit,
): Promise<Response> {
  const signal = request.signal ?? AbortSignal.timeout(PATIENCE_MS);
  const asked = { ...request, method: "POST", headers: headersFor(env, request), signal };
  if (env.TRANSCODER_URL) return fetch(env.TRANSCODER_URL + path, asked);
  if (!env.TRANSCODER) throw new Error("neither TRANSCODER_URL nor the TRANSCODER binding is set");
  const container = env.TRANSCODER.get(env.TRANSCODER.idFromName(instance));
  return container.fetch(`http://transcoder${path}`, asked as never) as unknown as Promise<Response>;
}

function headersFor({ TRANSCODER_SECRET }: Pick<Env, "TRANSCODER_SECRET">, { headers: given }: RequestInit) {
  const headers = new Headers(given);
  if (TRANSCODER_SECRET) headers.set("Authorization", `Bearer ${TRANSCODER_SECRET}`);
  return headers;
}
