/** The style of dialogs, which a page needs only once something plays or a key asks for them. */

const ADDRESS = new URL("./later.css", import.meta.url).href;

let loading: Promise<unknown> | undefined;

/** Resolves once it counts, or has not come. */
export function loadLaterStyles(): Promise<unknown> {
  loading ??= new Promise((settle) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: ADDRESS });
    for (const name of ["load", "error"]) link.addEventListener(name, settle);
    document.head.append(link);
  });
  return loading;
}
