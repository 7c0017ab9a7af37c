/** `3:07`, and `1:02:03` from an hour on. */
export const clock = (seconds: number): string => {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds % 60)];
  const two = (n: number) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};

/** Reads `83`, `1:23`, `1:02:03`, `83s` and `1h2m3s` as seconds. Returns `undefined` for anything else. */
export function secondsOf(moment: string | null): number | undefined {
  const text = moment ?? "";
  const [whole, h = 0, m = 0, s = 0] = /^(?=\d)(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/.exec(text) ?? [];
  if (whole) return Number(h) * 3600 + Number(m) * 60 + Number(s);
  if (!/^\d+(?::\d{1,2}){1,2}$/.test(text)) return undefined;
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
