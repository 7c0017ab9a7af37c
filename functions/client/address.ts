export type Values = Record<string, unknown>;

/** Fills in the path's `{names}` and adds the query. Lists are comma-separated; `undefined` is omitted. */
export function addressOf(apiUrl: string, path: string, values: Values = {}, query: Values = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined || value === null || value === "")
      throw new TypeError(`${path} needs path.${name}`);
    // URL parsers drop such segments, even escaped ones, so that the call would reach another resource.
    if (/^\.\.?$/.test(String(value))) throw new TypeError(`path.${name} must not be ${value}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.set(name, String(value));
  return `${apiUrl}${filled}${search.size > 0 ? `?${search}` : ""}`;
}

/** Removes trailing slashes, which people often copy along. */
export const baseOf = (url: string): string => new URL(url).href.replace(/\/+$/, "");
