/** Messages between an embedded player and the page around it, as they are known elsewhere. */

export interface Message {
  /** The name of an event or a getter. */
  method: string;
  value?: unknown;
  /** The number of the load that is ready. */
  load?: string;
}

export const EVENTS = {
  LOAD_PROGRESS: "loadProgress",
  PLAY_PROGRESS: "playProgress",
  PLAY: "play",
  PAUSE: "pause",
  FINISH: "finish",
  SEEK: "seek",
  READY: "ready",
  OPEN_SHARE_PANEL: "sharePanelOpened",
  CLICK_DOWNLOAD: "downloadClicked",
  CLICK_BUY: "buyClicked",
  ERROR: "error",
};
export const METHODS = ["play", "pause", "toggle", "seekTo", "setVolume", "next", "prev", "skip"];
export const GETTERS = [
  "getVolume",
  "getDuration",
  "getPosition",
  "getSounds",
  "getCurrentSound",
  "getCurrentSoundIndex",
  "isPaused",
];

/** Reads what a window posted. Others post, too. */
export function parse(data: unknown): Message | undefined {
  try {
    const { method, value, load }: Partial<Message> = typeof data === "string" ? JSON.parse(data) : {};
    return typeof method === "string" ? { method, value, load } : undefined;
  } catch {
    return undefined;
  }
}
