import type { Env } from "./env.ts";

/** Locally there is one transcoder; deployed, each `instance` is a container of its own. */
export function askTranscoder(
  env: Pick<Env, "TRANSCODER" | "TRANSCODER_URL">,
  instance: string,
  path: string,
  request: RequestInit,
): Promise<Response> {
  const asked = { ...request, method: "POST" };
  if (env.TRANSCODER_URL) return fetch(env.TRANSCODER_URL + path, asked);
  if (!env.TRANSCODER) throw new Error("neither TRANSCODER_URL nor the TRANSCODER binding is set");
  const container = env.TRANSCODER.get(env.TRANSCODER.idFromName(instance));
  return container.fetch(`http://transcoder${path}`, asked as never) as unknown as Promise<Response>;
}
