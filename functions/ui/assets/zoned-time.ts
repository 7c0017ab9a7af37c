import { find, findAll } from "./elements.ts";
import { entered, offsetAt, zoneAt } from "./time-zone.ts";

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

const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

/** Shows times of the owner's lists in the browser's zone. */
function showMoments(): void {
  for (const time of findAll(document, "time[data-moment]", HTMLTimeElement)) {
    const at = new Date(time.dateTime);
    time.textContent = `${format.format(at)} (${zoneAt(at)})`;
    delete time.dataset.moment;
  }
}

// Also in a list that is replaced, and in a page that is swapped in.
new MutationObserver(showMoments).observe(document, { childList: true, subtree: true });
showMoments();
