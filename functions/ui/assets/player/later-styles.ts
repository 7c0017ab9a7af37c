/** Styles that a page needs only once something plays, or somebody asks for them. */

const coming = new Map<string, Promise<unknown>>();

/** Loads a stylesheet of ours. Resolves once it counts, or has not come. */
export function loadStyle(name: "later.css" | "own.css" | "podcast.css"): Promise<unknown> {
  const { href } = new URL(`./${name}`, import.meta.url);
  const style =
    coming.get(name) ??
    new Promise((settle) => {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      for (const event of ["load", "error"]) link.addEventListener(event, settle);
      document.head.append(link);
    });
  coming.set(name, style);
  return style;
}

/** Loads the style of the player and its dialogs. */
export const loadLaterStyles = () => loadStyle("later.css");
