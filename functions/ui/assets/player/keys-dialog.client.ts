import { make } from "./make.ts";

/** The list of keys, which "?" opens. */

const KEYS: [keys: string[], does: string][] = [
  [["Space", "K"], "Play or pause"],
  [["←", "→"], "Back or forward 5 seconds"],
  [["Shift ←", "Shift →"], "Previous or next track"],
  [["0", "–", "9"], "Go to that tenth of the track"],
  [["M"], "Mute"],
  [["S"], "Shuffle"],
  [["L"], "Repeat: all, this track, off"],
  [["/"], "Search"],
  [["?"], "Show these keys"],
  [["Esc"], "Close what is open"],
];

export function openKeys(): void {
  if (document.querySelector("dialog.keys")) return;
  const title = make("h2", "", "Keys");
  title.id = "keys-title";
  const close = Object.assign(make("button", "button quiet small", "Close"), { type: "button" });
  const rows = KEYS.flatMap(([keys, does]) => {
    const names = keys.flatMap((key, at) => (at ? [" ", make("kbd", "", key)] : [make("kbd", "", key)]));
    return [make("dt", "", ...names), make("dd", "", does)];
  });
  const dialog = make("dialog", "keys", title, make("dl", "", ...rows), close);
  dialog.setAttribute("aria-labelledby", title.id);
  const end = () => dialog.close();
  close.addEventListener("click", end);
  dialog.addEventListener("close", () => dialog.remove());
  document.addEventListener("turbo:before-cache", end, { once: true });
  document.body.append(dialog);
  dialog.showModal();
}
