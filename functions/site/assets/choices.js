/** What a listener chose in this browser. All is on at first. Storage may be closed to an embedded page. */

/** Whether what `name` names is on. */
export function readChoice(name) {
  try {
    return localStorage.getItem(name) !== "off";
  } catch {
    return true;
  }
}

export function storeChoice(name, isOn) {
  try {
    localStorage.setItem(name, isOn ? "on" : "off");
  } catch {}
}
