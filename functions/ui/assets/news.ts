import { find, findAll } from "./elements.ts";
import { reader } from "./own-reader.ts";
import { readTab, writeTab } from "./tab-store.ts";

/**
 * The bell's count. Each page shows the last known one at once, so that nothing flickers, and asks again when that is a minute old.
 * Tabs tell each other.
 */

const FRESH_MS = 60_000;

interface Count {
  reader: string | undefined;
  unseen: number;
}

/** A visitor's page becomes that of whoever signs in. */
const key = () => `news-${reader}`;

/** The last known count and its time. */
function known(): { unseen: number; at: number } {
  const [unseen = 0, at = 0] = (readTab(key()) ?? "").split(" ").map(Number);
  return { unseen, at };
}

const channel = new BroadcastChannel("news");
channel.addEventListener("message", ({ data }: MessageEvent<Count>) => {
  if (data.reader === reader) keep(data.unseen);
});

function keep(unseen: number): void {
  writeTab(key(), `${unseen} ${Date.now()}`);
  for (const bell of findAll(document, "news-bell", HTMLElement)) show(bell, unseen);
}

function show(bell: HTMLElement, unseen: number): void {
  const count = find(bell, ".bell-count", HTMLElement);
  const text = unseen > 99 ? "99+" : String(unseen);
  count.hidden = unseen === 0;
  count.textContent = text;
  find(bell, ".sr-only", HTMLElement).textContent = `Notifications${unseen ? `, ${text} new` : ""}`;
}

let asks = 0;

async function ask(bell: HTMLElement): Promise<void> {
  const address = new URL(bell.dataset.count ?? "", location.href);
  // Pages of another host have no session of the site.
  if (address.origin !== location.origin) return;
  const asked = ++asks;
  const reply = await fetch(address, { headers: { Accept: "application/json" }, redirect: "manual" }).catch(
    () => undefined,
  );
  if (!reply?.ok) return;
  const { unseen }: { unseen: number } = await reply.json();
  // An older reply may come later.
  if (asked !== asks) return;
  keep(unseen);
  channel.postMessage({ reader, unseen } satisfies Count);
}

const askAnew = (isForced = false): void => {
  const [bell] = findAll(document, "news-bell", HTMLElement);
  if (bell && !document.hidden && (isForced || Date.now() - known().at > FRESH_MS)) ask(bell);
};

customElements.define(
  "news-bell",
  class extends HTMLElement {
    connectedCallback(): void {
      show(this, known().unseen);
    }
  },
);

document.addEventListener("turbo:load", () => askAnew());
document.addEventListener("visibilitychange", () => askAnew());

/** Marks as seen what the page shows, once it is on the screen: not a preview, nor a page behind others. */
customElements.define(
  "news-seen",
  class extends HTMLElement {
    connectedCallback(): void {
      if (document.documentElement.hasAttribute("data-turbo-preview")) return;
      if (!document.hidden) this.#mark();
      else
        document.addEventListener("visibilitychange", () => this.isConnected && this.#mark(), { once: true });
    }

    async #mark(): Promise<void> {
      const { token = "", until = "" } = this.dataset;
      const body = new URLSearchParams({ form_token: token, until });
      await fetch("/you/notifications/seen", { method: "POST", body, redirect: "manual" }).catch(
        () => undefined,
      );
      askAnew(true);
    }
  },
);
