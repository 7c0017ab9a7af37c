import { Routes } from "../../lib/http/route.ts";
import { publishRelease } from "./release.ts";
import { NewReleaseBody } from "./release-input.ts";
import { Playlist } from "./representation.ts";

export const releases = new Routes();

releases.post(
  "/releases",
  {
    operationId: "createRelease",
    summary: "Publish an album, an EP or a single",
    description:
      "Creates a public playlist of your tracks and makes the tracks public, all at once or not at all. With `publish_at` they stay private and become public together at that time; a release waits for tracks that are still encoding then. Genre, licence, label, catalogue number, date and artist that you send go to each track, too. Tracks may still be encoding; others see each once it is ready.",
    auth: "user",
    scope: "tracks",
    body: NewReleaseBody,
    accepts: ["json", "form", "multipart"],
    madeAt: "/playlists",
    replies: { 201: Playlist },
    errors: { 403: "A track was taken down.", 429: "Too many edits of playlists in an hour." },
  },
  async (c, { body }) => {
    const playlist = await publishRelease(c, body.release);
    return c.json(playlist, 201, { Location: `${c.env.API_URL}/playlists/${playlist.id}` });
  },
);
