/** Callers and kinds of tracks, and the rules that follow. */

export const CALLERS = {
  nobody: { is: "nobody" },
  "an app": { is: "app" },
  "an app with the secret": { is: "app", presents: "secret" },
  "the owner": { is: "owner" },
  "the owner by another app": { is: "owner" },
  "another user": { is: "other" },
  "another user with the secret": { is: "other", presents: "secret" },
  "another user with a wrong secret": { is: "other", presents: "wrong" },
  "a user that it is shared with": { is: "friend" },
} as const;

export type Caller = { is: "nobody" | "app" | "owner" | "other" | "friend"; presents?: "secret" | "wrong" };

export interface Kind {
  columns: Record<string, unknown>;
  state: "processing" | "failed" | "finished";
  /** Access left by the visibility rule to everyone but the owner. */
  access: "playable" | "preview" | "blocked";
  sharing: "public" | "private";
  /** Deleted, or its owner left. The API reveals neither. */
  gone?: "deleted" | "owner";
  /** An operator keeps it down. Its owner alone sees it, and nobody hears it. */
  takenDown?: true;
}

export const kind = (more: Partial<Kind> = {}): Kind => ({
  columns: {},
  state: "finished",
  access: "playable",
  sharing: "public",
  ...more,
});

export const KINDS: Record<string, Kind> = {
  public: kind(),
  "public, with a download": kind({ columns: { downloadable: true } }),
  private: kind({ sharing: "private" }),
  "private, with a download": kind({ sharing: "private", columns: { downloadable: true } }),
  "not streamable": kind({ access: "blocked", columns: { streamable: false, downloadable: true } }),
  "private and not streamable": kind({
    access: "blocked",
    sharing: "private",
    columns: { streamable: false },
  }),
  "for another country": kind({ access: "blocked", columns: { available_country_codes: ["AQ"] } }),
  "a preview": kind({ access: "preview", columns: { paywall: "preview", downloadable: true } }),
  "behind a paywall": kind({ access: "blocked", columns: { paywall: "blocked" } }),
  processing: kind({ state: "processing", columns: { downloadable: true } }),
  "private and processing": kind({ state: "processing", sharing: "private" }),
  failed: kind({ state: "failed" }),
  "private and failed": kind({ state: "failed", sharing: "private" }),
  deleted: kind({ gone: "deleted" }),
  "of a user who left": kind({ gone: "owner" }),
  "taken down": kind({ takenDown: true, columns: { downloadable: true } }),
  "private and taken down": kind({ takenDown: true, sharing: "private" }),
};

export type Rule = (caller: Caller, track: Kind) => number;

export const owns = (caller: Caller, track: Kind) => caller.is === "owner" && !track.gone;

/** Owners, recipients and holders of the secret see a track; everybody sees a public one. */
const sees = (caller: Caller, track: Kind, { bySecret = true } = {}) =>
  !track.gone &&
  (caller.is === "owner" || !track.takenDown) &&
  (track.sharing === "public" ||
    caller.is === "owner" ||
    caller.is === "friend" ||
    (bySecret && caller.presents === "secret"));

/** A private track's audio requires a user. An app with the secret sees the metadata only. */
const needsUser = (caller: Caller, track: Kind) => track.sharing === "private" && caller.is === "app";

export const reads: Rule = (caller, track) => {
  if (caller.is === "nobody") return 401;
  return sees(caller, track) ? 200 : 404;
};

/** Only the caller's own resources exist. */
export const readsOwn: Rule = (caller, track) => {
  if (caller.is === "nobody" || caller.is === "app") return 401;
  return owns(caller, track) ? 200 : 404;
};

export const plays: Rule = (caller, track) => {
  const read = reads(caller, track);
  if (read !== 200) return read;
  if (needsUser(caller, track)) return 401;
  if (track.takenDown || (track.access === "blocked" && !owns(caller, track))) return 403;
  return track.state === "finished" ? 200 : 404;
};

export const previews: Rule = (caller, track) => {
  const played = plays(caller, track);
  return played === 200 ? 302 : played;
};

export const downloads: Rule = (caller, track) => {
  const read = reads(caller, track);
  if (read !== 200) return read;
  if (needsUser(caller, track)) return 401;
  if (track.takenDown) return 403;
  if (owns(caller, track)) return 302;
  if (!track.columns.downloadable || track.state !== "finished") return 404;
  return track.access === "playable" ? 302 : 403;
};

/** A secret grants no rights. Callers who see the track only by it get 404 for changes. */
export const changes: Rule = (caller, track) => {
  if (caller.is === "nobody" || caller.is === "app") return 401;
  if (owns(caller, track)) return 200;
  return sees(caller, track, { bySecret: false }) ? 403 : 404;
};

/** Callers who see a track may like and repost it. */
export const favorites: Rule = (caller, track) => {
  if (caller.is === "nobody" || caller.is === "app") return 401;
  return sees(caller, track) ? 200 : 404;
};

export const reposts: Rule = (caller, track) => {
  const status = favorites(caller, track);
  return status === 200 ? 201 : status;
};

/** The owner reads the words of each track, others of one that plays whole for them. */
const words =
  (status: number): Rule =>
  (caller, track) => {
    const read = reads(caller, track);
    if (read !== 200) return read;
    if (needsUser(caller, track)) return 401;
    return track.access === "playable" || owns(caller, track) ? status : 403;
  };

/** No track here has a transcript. A list of chapters may be empty. */
export const readsTranscript = words(404);
export const readsChapters = words(200);

/** No track here has chapters, so none has a picture to remove. */
export const picturesChapter: Rule = (caller, track) => {
  const changed = changes(caller, track);
  return changed === 200 ? 404 : changed;
};

/** No track has the id that it is to supersede. */
export const supersedes: Rule = (caller, track) => {
  const changed = changes(caller, track);
  return changed === 200 ? 422 : changed;
};

export const favored = ({ is }: Caller) => is === "owner" || is === "friend";

/** A like can be taken back after its track became invisible. */
export const unfavorites: Rule = (caller, track) =>
  favored(caller) && (track.gone === "owner" || track.takenDown) ? 200 : favorites(caller, track);

export const retries: Rule = (caller, track) => {
  const changed = changes(caller, track);
  return changed === 200 && track.state !== "failed" ? 409 : changed;
};

export type Listed = (caller: Caller, track: Kind) => boolean;

/** Lists hold public tracks and the reader's own. Neither a secret nor a share adds a track. */
export const listed: Listed = (caller, track) =>
  !track.gone &&
  (caller.is === "owner" || (track.sharing === "public" && track.state !== "failed" && !track.takenDown));

/** The owner and the friend like and repost every track. */
export const listedFavorites: Listed = (caller, track) => favored(caller) && listed(caller, track);

export const listedPrivate: Listed = (caller, track) =>
  owns(caller, track) && (track.sharing === "private" || track.takenDown === true);

/** Every test user except the owner follows the owner and the users who left. */
export const listedFeed: Listed = (caller, track) => caller.is !== "owner" && listed(caller, track);

/** A share adds a track to its recipient's activities. */
export const listedHeardOf: Listed = (caller, track) =>
  caller.is === "friend"
    ? !track.gone && track.state !== "failed" && !track.takenDown
    : listedFeed(caller, track);
