import { type Client, InvalidError, RateLimitError } from "soundpost";
import { fileStore } from "soundpost/file-store";
import { uploadTrack } from "soundpost/upload";
import { verifyWebhook } from "soundpost/webhooks";

/** Compiles only if each entry has its types and the classes tell their fields. */
export async function useAll(client: Client, file: Blob, request: Request): Promise<unknown[]> {
  const titles: string[] = [];
  for await (const track of client.each("/me/tracks", { query: { q: "a" } })) titles.push(track.title);
  const made = await uploadTrack(
    client,
    file,
    { title: "Mine", sharing: "private" },
    { onProgress: () => {} },
  ).catch((error: unknown) => {
    if (error instanceof InvalidError) return error.fields["track[title]"]?.length ?? 0;
    if (error instanceof RateLimitError) return error.retryAfterMs ?? 0;
    throw error;
  });
  const state = typeof made === "number" ? made : made.state;
  const event = await verifyWebhook({ headers: request.headers, body: await request.text() }, "whsec_AAAA");
  const about = event.type === "follow.created" ? event.data : event.type;
  return [titles, state, about, fileStore("session.json")];
}
