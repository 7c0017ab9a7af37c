import { find, findAll } from "../elements.ts";
import { ask } from "../player/player-patience.ts";
import type { Played, Sound } from "./embed-sound.ts";

/** The data that a page of the player holds for its script. */
export const playedIn = (page: Document): Played =>
  JSON.parse(find(page, '[data-block="played"]', HTMLScriptElement).text);

interface PlayerPage {
  page: Document;
  played: Played;
}

async function fetchPage(address: string): Promise<PlayerPage> {
  const reply = await ask(address, "text/html");
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  return { page, played: playedIn(page) };
}

/** The tracks of a set or a user, or the one track of its page. */
export function openList(first: Pick<Played, "index">) {
  const links = findAll(document, ".embed-list a", HTMLAnchorElement);
  let index = first.index;
  /** The place of the track that is shown. */
  let shown = index;
  /** The page of the track that comes next. */
  let prefetched: { at: number; page: Promise<PlayerPage | undefined> } | undefined;
  let asked: Promise<Sound[]> | undefined;

  /** One that did not come in advance is asked for again. */
  async function pageAt(at: number): Promise<PlayerPage> {
    const page = prefetched?.at === at ? await prefetched.page : undefined;
    return page ?? fetchPage(links[at]?.href ?? location.href);
  }

  /** Shows the parts of another page in the place of this one's. */
  function show(page: Document) {
    for (const part of findAll(document, "[data-part]", HTMLElement)) {
      const other = page.querySelector(`[data-part="${part.dataset.part}"]`);
      if (other) part.replaceWith(document.adoptNode(other));
    }
  }

  function choose(at: number) {
    index = at;
    for (const link of links) link.removeAttribute("aria-current");
    links[index]?.setAttribute("aria-current", "true");
    links[index]?.scrollIntoView({ block: "nearest" });
  }

  return {
    links,
    index: () => index,
    /** The next one in this direction that is not closed to this listener. */
    beside(step: number): number | undefined {
      let at = index + step;
      while (links[at]?.dataset.blocked) at += step;
      return links[at] ? at : undefined;
    },
    /** Resolves to what to play, or `undefined` if another was chosen meanwhile. Rejects back at the track that is shown. */
    async go(at: number): Promise<Played | undefined> {
      choose(at);
      const next = await pageAt(at).catch((error: unknown) => {
        if (index !== at) return undefined;
        choose(shown);
        throw error;
      });
      prefetched = undefined;
      if (index !== at || !next) return undefined;
      shown = at;
      show(next.page);
      return next.played;
    },
    /** Fetches the page of the next track, so that it begins at once. */
    foresee(at: number | undefined) {
      const link = links[at ?? -1];
      if (at === undefined || !link || prefetched?.at === at) return;
      prefetched = { at, page: fetchPage(link.href).catch(() => undefined) };
    },
    /** Asks anew for the track that is shown: another may be on its way. */
    renew: async (): Promise<Played> => (await fetchPage(links[shown]?.href ?? location.href)).played,
    /** The tracks as the API represents them, in this list's order. */
    async sounds(present: Sound | null | undefined): Promise<object[]> {
      if (links.length === 0) return present ? [present] : [];
      asked ??= fetch(document.body.dataset.sounds ?? "").then((reply) => reply.json());
      const known = await asked.catch((): Sound[] => {
        asked = undefined;
        return [];
      });
      const byId = new Map(known.map((sound) => [String(sound.id), sound]));
      return links.map(
        ({ dataset: { id = "", title } }) => byId.get(id) ?? { id: Number(id), kind: "track", title },
      );
    },
  };
}
