/** Titles of the list with this label, in order. */
export const listed = (html: string, label: string): string[] => {
  const [, list = ""] =
    new RegExp(`aria-label="${label}"[^>]*>([^]*?)</ul>\\s*(?:<p|</section|<nav)`).exec(html) ?? [];
  return [...list.matchAll(/class="(?:row|tile)-title[^"]*"><a [^>]*>([^<]*)</g)].map(
    ([, title = ""]) => title,
  );
};

/** Titles of the grid with this label, in order. */
export const tiles = (html: string, label: string): string[] => {
  const [, grid = ""] =
    new RegExp(`<ul class="tiles" aria-label="${label}"[^>]*>([^]*?)</ul>`).exec(html) ?? [];
  return [...grid.matchAll(/class="tile-title"><a [^>]*>([^<]*)</g)].map(([, title = ""]) => title);
};
