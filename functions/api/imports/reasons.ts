/** Explains to the owner why an episode is left out or failed, by stable code. */
const REASONS: Record<string, string> = {
  no_audio: "The feed names no audio file for it.",
  video: "It is a video.",
  from_here: "Its file is on this service already.",
  past_limit: "A set holds 500 tracks; the newest come along.",
  already_here: "You have moved it in before.",
  too_large: "A file may have 4 GB at most.",
  private_target: "Its file is not on the public web.",
  unresolved: "The host of its file cannot be found.",
  bad_redirect: "The other server redirects in a circle, or to no address.",
  timeout: "The other server stopped sending.",
  unreachable: "The other server cannot be reached.",
  interrupted: "The other server broke off before the file's end.",
  empty: "The file is empty.",
  not_audio: "The other server sent a page instead of audio.",
  over_quota: "Your quota has no room for it.",
  no_set: "You deleted the set that it belongs in.",
  expired: "It took longer than two days to fetch.",
  pictures_unavailable: "Its picture could not be processed.",
};

/** `status_404` and its like hold the other server's reply. */
export const importReason = (code: string): string => {
  const [, status] = /^status_(\d+)$/.exec(code) ?? [];
  return status ? `The other server replied ${status}.` : (REASONS[code] ?? "It could not be fetched.");
};
