import { find } from "./elements.ts";

const two = (n: number) => String(n).padStart(2, "0");

/** The value of a field for a time in the browser's zone. */
function entered(at: Date): string {
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const seconds = at.getSeconds() ? `:${two(at.getSeconds())}` : "";
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

/** The offset of the browser's zone at a time, such as `+02:00`. It differs between summer and winter. */
function offsetAt(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const [h, m] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${two(h)}:${two(m)}`;
}

/** `Europe/Berlin, UTC+02:00`. */
const zoneAt = (at: Date): string =>
  `${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ")}, UTC${offsetAt(at)}`;

/** Moves a field in UTC to the browser's zone, says so, and sends the offset along. */
customElements.define(
  "zoned-time",
  class extends HTMLElement {
    connectedCallback(): void {
      const field = find(this, "input[type=datetime-local]", HTMLInputElement);
      const offset = find(this, "input[type=hidden]", HTMLInputElement);
      const label = find(this, "label", HTMLElement);
      const follow = () => {
        const at = field.value ? new Date(field.value) : new Date();
        if (Number.isNaN(at.getTime())) return;
        offset.value = offsetAt(at);
        const zone = zoneAt(at);
        label.textContent = label.textContent?.replace(/\(.*\)$/, `(${zone})`) ?? zone;
      };
      // A copy in Turbo's cache has been moved already.
      if (!this.dataset.moved && field.value) field.value = entered(new Date(`${field.value}Z`));
      this.dataset.moved = "true";
      offset.disabled = false;
      field.addEventListener("input", follow);
      follow();
    }
  },
);
