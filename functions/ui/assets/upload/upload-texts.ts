import type { Item, Phase } from "./upload-item.ts";
import { bytesText, percentText, timeText } from "./upload-kinds.ts";
import { isMoving } from "./upload-list.ts";
import type { Release } from "./upload-release.ts";

/** Says in words how far files are. */

export const OFFLINE = "No connection.";

/** Whether what was typed or chosen is kept; undefined if nothing was, and "Save" was not pressed. */
export function savedText(item: Item): string | undefined {
  const { isSaved, track, edited, edits, isPressed, values, problems } = item;
  if (!edited.size && !edits && !isPressed) return undefined;
  if (!isSaved)
    return Object.keys(problems).length ? "Not saved: a field above needs another look." : "Not saved yet.";
  if (track) return "Saved.";
  if (values.publish_at) return "Saved. It goes public at its time.";
  return values.sharing === "public"
    ? "Saved. It goes public once it is uploaded."
    : "Saved for when it is uploaded.";
}

/** Tells for how many files a release waits, once its button was pressed; nothing before, or after a refusal. */
export function releaseText({ isWanted, isBusy, items, values }: Release): string {
  if (isBusy) return values.publish_at ? "Scheduling …" : "Publishing …";
  if (!isWanted) return "";
  const missing = items.filter(({ track }) => !track).length;
  const act = values.publish_at ? "scheduled" : "published";
  return `It is ${act} as soon as ${missing === 1 ? "1 file is" : `${missing} files are`} uploaded. You may go on elsewhere on this site.`;
}

export function stateText(item: Item): string {
  const { phase, bytes, size, speed, track } = item;
  const amount = `${bytesText(bytes)} of ${bytesText(size)}`;
  if (isMoving(item) && !navigator.onLine) return `${OFFLINE} It goes on by itself. ${amount}`;
  const perSecond = speed.perSecond;
  const texts: Record<Phase, string> = {
    lost: `${bytesText(size)}. Choose the same file again to go on; only what is missing is sent.`,
    elsewhere: `${bytesText(size)}. Open in another tab of this browser: go on with it there.`,
    waiting: item.isHeldBack
      ? `Waiting until one of five begun files is there. ${bytesText(size)}`
      : `Waiting. ${bytesText(size)}`,
    sending: perSecond
      ? `${amount} · ${bytesText(perSecond)}/s · ${timeText((size - bytes) / perSecond)}`
      : amount,
    paused: `Paused. ${amount}`,
    stalled: `Stopped. ${amount}`,
    joining: "Almost there …",
    creating: "Almost there …",
    unfit: "Uploaded. A field needs another look.",
    encoding: `Being encoded: ${percentText(track?.encoding?.progress ?? 0)}`,
    finished: "Ready",
    failed: "Encoding failed",
    removing: "Being removed …",
  };
  return texts[phase];
}

/** One line about all files. */
export function totalText(items: Item[]): string {
  const sent = items.filter(({ phase }) => phase !== "lost" && phase !== "elsewhere");
  if (sent.length < 2) return "";
  const bytes = sent.reduce((sum, item) => sum + item.bytes, 0);
  const size = sent.reduce((sum, item) => sum + item.size, 0);
  const perSecond = sent
    .filter(({ phase }) => phase === "sending")
    .reduce((sum, { speed }) => sum + speed.perSecond, 0);
  // The last bytes may be on their way still.
  const uploaded = sent.filter(({ upload, track }) => track || upload?.status === "ready").length;
  const counts = `${uploaded} of ${sent.length} files uploaded, ${bytesText(bytes)} of ${bytesText(size)}`;
  if (!perSecond || !sent.some(isMoving)) return counts;
  return `${counts} · ${bytesText(perSecond)}/s · ${timeText((size - bytes) / perSecond)}`;
}
