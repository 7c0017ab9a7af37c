/** The API's replies, as far as uploading reads them. */

export interface Upload {
  id: number;
  status: "open" | "completing" | "ready" | "used" | "failed" | "aborted" | "expired";
  filename: string;
  /** Bytes. */
  size: number;
  /** Milliseconds. */
  last_modified: number | null;
  track_id: number | null;
}

export interface Part {
  number: number;
  etag: string;
}

/** An upload whose parts are sent. A new one names no parts. */
export interface Session extends Upload {
  /** Bytes. */
  part_size: number;
  part_count: number;
  parts?: (Part & { size: number })[];
}

export interface Playlist {
  title: string;
  sharing: string;
  permalink_url: string;
  publish_at: string | null;
}

export interface Track {
  id: number;
  title: string;
  sharing: string;
  publish_at: string | null;
  state: string;
  metadata_artist: string;
  artists: { name: string; role: string; user: { permalink: string } | null }[];
  description: string | null;
  genre: string | null;
  release_year: number | null;
  tag_list: string;
  permalink_url: string;
  artwork_url: string | null;
  secret_token?: string;
  encoding?: {
    progress: number;
    segments_ready: number;
    reason: { code: string; message: string } | null;
  };
}
