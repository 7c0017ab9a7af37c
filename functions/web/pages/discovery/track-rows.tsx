import type { Child } from "hono/jsx";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { Rows } from "../rows/row.tsx";
import { TrackRow } from "../rows/track-row.tsx";

interface TrackRowsProps {
  env: Env;
  reader: Reader;
  label: string;
  tracks: Track[];
  /** Shown in place of an empty list. */
  empty?: Child;
}

/** A list of tracks to play and like. */
export const TrackRows = ({ env, reader, label, tracks, empty }: TrackRowsProps) =>
  tracks.length === 0 ? (
    <p class="empty">{empty}</p>
  ) : (
    <Rows label={label}>
      {tracks.map((track) => (
        <TrackRow env={env} reader={reader} track={track} />
      ))}
    </Rows>
  );
