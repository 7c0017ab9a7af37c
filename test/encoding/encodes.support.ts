import type { Track } from "../../functions/api/tracks/representation.ts";
import type { Stack } from "../../workers/local/stack/stack.ts";
import type { AuthServer } from "../support/oauth.ts";

/** A stack of the test's own. */
export interface OwnStack {
  stack: Pick<Stack, "urls" | "ports" | "secrets">;
  auth: AuthServer;
}

/** A user who uploads files and watches their tracks. */
export async function createUploader({ stack, auth }: OwnStack) {
  const { userId, tokens } = await auth.signedIn();
  const headers = { Authorization: `OAuth ${tokens.access_token}` };
  const track = async (id: number) =>
    (await (await fetch(`${stack.urls.api}/tracks/${id}`, { headers })).json()) as Track;
  return {
    userId,
    track,
    async upload(audio: Blob): Promise<number> {
      const form = new FormData();
      form.set("track[title]", "A song");
      form.set("track[asset_data]", audio, "song.wav");
      const made = await fetch(`${stack.urls.api}/tracks`, { method: "POST", body: form, headers });
      if (made.status !== 201) throw new Error(await made.text());
      return ((await made.json()) as Track).id;
    },
    state: async (id: number) => (await track(id)).state,
  };
}

export async function jobIn({ auth }: OwnStack, track: number) {
  const [row] = await auth.sql(
    `select t.state, j.state as job, attempt, failure_reason as reason
     from tracks t join encoding_jobs j on j.track_id = t.id where t.id = $1`,
    [track],
  );
  return row;
}

/** Number of encodes that the transcoder runs. */
export async function encodesIn({ stack }: OwnStack): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${stack.ports.transcoder}/healthz`, {
    headers: { Authorization: `Bearer ${stack.secrets.TRANSCODER_SECRET}` },
  });
  return ((await reply.json()) as { jobs: number }).jobs;
}
