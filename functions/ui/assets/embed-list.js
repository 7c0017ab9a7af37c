import { ask } from "./player-patience.js";

/** The data that a page of the player holds for its script. */
export const playedIn = (page) => JSON.parse(page.querySelector('[data-block="played"]').textContent);

async function fetchPage(address) {
  const reply = await ask(address, "text/html");
  if (!reply.ok) throw Object.assign(new Error("no player"), { status: reply.status });
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  return { page, played: playedIn(page) };
}

/** The tracks of a set or a user, or the one track of its page. */
export function openList(first) {
  const links = [...document.querySelectorAll(".embed-list a")];
  let index = first.index;
  /** The place of the track that is shown. */
  let shown = index;
  /** The page of the track that comes next. */
  let prefetched;
  let asked;

  const pageAt = async (at) =>
    (prefetched?.at === at && (await prefetched.page)) || fetchPage(links[at].href);

  /** Shows the parts of another page in the place of this one's. */
  function show(page) {
    for (const part of document.querySelectorAll("[data-part]")) {
      const other = page.querySelector(`[data-part="${part.dataset.part}"]`);
      if (other) part.replaceWith(document.adoptNode(other));
    }
  }

  function choose(at) {
    index = at;
    for (const link of links) link.removeAttribute("aria-current");
    links[index]?.setAttribute("aria-current", "true");
    links[index]?.scrollIntoView({ block: "nearest" });
  }

  return {
    links,
    index: () => index,
    /** The next one in this direction that is not closed to this listener. */
    beside(step) {
      let at = index + step;
      while (links[at]?.dataset.blocked) at += step;
      return links[at] ? at : undefined;
    },
    /** Resolves to what to play, or `undefined` if another was chosen meanwhile. Rejects back at the track that is shown. */
    async go(at) {
      choose(at);
      const { page, played } = await pageAt(at).catch((error) => {
        if (index !== at) return {};
        choose(shown);
        throw error;
      });
      prefetched = undefined;
      if (index !== at) return undefined;
      shown = at;
      show(page);
      return played;
    },
    /** Fetches the page of the next track, so that it begins at once. One that does not come is asked for again then. */
    foresee(at) {
      if (at === undefined || prefetched?.at === at) return;
      prefetched = { at, page: fetchPage(links[at].href).catch(() => undefined) };
    },
    /** Asks anew for the track that is shown: another may be on its way. */
    renew: async () => (await fetchPage(links[shown]?.href ?? location.href)).played,
    /** The tracks as the API represents them, in this list's order. */
    async sounds(present) {
      if (links.length === 0) return present ? [present] : [];
      asked ??= fetch(document.body.dataset.sounds).then((reply) => reply.json());
      const known = await asked.catch(() => {
        asked = undefined;
        return [];
      });
      const byId = new Map(known.map((sound) => [String(sound.id), sound]));
      return links.map(
        ({ dataset: { id, title } }) => byId.get(id) ?? { id: Number(id), kind: "track", title },
      );
    },
  };
}
