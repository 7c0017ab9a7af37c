import { statSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { type UploadSession, uploadParts } from "../../workers/local/demo/upload.ts";
import type { Person } from "./people.ts";

/** Milliseconds. Short compared with an encode, at a thousandth of a core. */
const POLL_MS = 250;

/** Opens a session, sends every part and completes it. Reports when the last byte is stored. */
export async function upload({ call }: Person, file: string, onLastByte: () => void = () => {}) {
  const audio = { path: file, size: statSync(file).size };
  const session = await call<UploadSession>("POST", "/uploads", {
    filename: basename(file),
    size: audio.size,
    type: "application/octet-stream",
  });
  await uploadParts(call, session, audio, (sent) => sent === audio.size && onLastByte());
  return session;
}

/** Uploads a file and waits until the track plays. */
export async function publish(person: Person, file: string, onLastByte?: () => void): Promise<Track> {
  const { id } = await upload(person, file, onLastByte);
  const fields = { upload_id: id, title: basename(file), sharing: "public" };
  let track = await person.call<Track>("POST", "/tracks", { track: fields });
  while (track.state === "processing") {
    await sleep(POLL_MS);
    track = await person.call<Track>("GET", `/tracks/${track.id}`);
  }
  if (track.state === "failed") throw new Error(`${file} was not encoded: ${JSON.stringify(track)}`);
  return track;
}
