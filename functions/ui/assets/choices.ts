/** Choices of this browser's listener. All are on at first. Storage may be closed to an embedded page. */

/** Whether a choice is on. */
export function readChoice(name: string): boolean {
  try {
    return localStorage.getItem(name) !== "off";
  } catch {
    return true;
  }
}

export function storeChoice(name: string, isOn: boolean): void {
  try {
    localStorage.setItem(name, isOn ? "on" : "off");
  } catch {}
}
