import type { Result, Router } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import type { Route } from "./route.ts";

/** Parameters of pages, which have no schema. A page does not match other values. */
const PAGE_PARAMETERS: Record<string, string> = {
  id: "[1-9][0-9]{0,15}",
  delivery: "[1-9][0-9]{0,15}",
  secret: "s-[0-9A-Za-z]+",
  clientFile: "client-[^/]+\\.tgz",
  textFile: "(?:chapters\\.json|transcript\\.(?:vtt|srt|json))",
};

/** Returns Hono's spelling of a route's path. */
export const honoPath = ({ path, contract }: Pick<Route, "path" | "contract">): string =>
  path.replace(/:(\w+)(\.\w+)?(?=\/|$)/g, (parameter, name: string, suffix?: string) => {
    const pattern = suffix ? `[^/]+\\${suffix}` : contract ? undefined : PAGE_PARAMETERS[name];
    return pattern ? `:${name}{${pattern}}` : parameter;
  });

type Entry<T> = [method: string, path: string, handler: T];

interface Layer<T> {
  router: RegExpRouter<T>;
  paths: string[];
}

/**
 * Tries layers of routes in turn, each a regular expression. Hono's own router searches a tree as soon as two paths
 * overlap, as `/me/favorites/ids` and `/me/favorites/:id` do. The most specific path wins.
 */
export class LayeredRouter<T> implements Router<T> {
  name = "LayeredRouter";
  readonly #entries: Entry<T>[] = [];
  readonly #isReserved: (path: string) => boolean;
  #layers: Layer<T>[] | undefined;

  /** A path that `isReserved` never matches a route that begins with a parameter. */
  constructor(isReserved: (path: string) => boolean) {
    this.#isReserved = isReserved;
  }

  add(method: string, path: string, handler: T): void {
    this.#entries.push([method, path, handler]);
  }

  match(method: string, path: string): Result<T> {
    this.#layers ??= layersOf(this.#entries);
    for (const { router, paths } of this.#layers) {
      if (paths[0]?.startsWith("/:") && this.#isReserved(path)) break;
      const found = router.match(method, path);
      if (found[0].length) return found;
    }
    return [[]];
  }

  /** The paths of each layer. */
  get layers(): string[][] {
    this.#layers ??= layersOf(this.#entries);
    return this.#layers.map(({ paths }) => paths);
  }
}

/** Each layer holds the most specific routes that the layers before it left. */
function layersOf<T>(entries: Entry<T>[]): Layer<T>[] {
  const layers: Layer<T>[] = [];
  for (let rest = entries; rest.length; ) {
    const isFirst = mostSpecific(rest.map(([, path]) => path));
    const layer = { router: new RegExpRouter<T>(), paths: [] as string[] };
    for (const [method, path, handler] of rest.filter(([, path]) => isFirst(path))) {
      layer.router.add(method, path, handler);
      layer.paths.push(path);
    }
    layers.push(layer);
    rest = rest.filter(([, path]) => !isFirst(path));
  }
  return layers;
}

/** A regular expression of Hono's has either words or one parameter at the same place. */
function mostSpecific(paths: string[]): (path: string) => boolean {
  const first = new Map<string, string>();
  for (const [place, segment] of paths.flatMap(placesOf)) {
    const known = first.get(place);
    if (known === undefined || generality(segment) < generality(known)) first.set(place, segment);
  }
  return (path) =>
    placesOf(path).every(([place, segment]) => {
      const known = first.get(place) ?? segment;
      return known === segment || generality(known) + generality(segment) === 0;
    });
}

const SEGMENT = /\/(?::\w+((?:\{(?:[^{}]|\{[^{}]*\})+\})?)|([^/]*))/g;

/** The segments of a path without parameter names, each with its prefix. */
function placesOf(path: string): [place: string, segment: string][] {
  let place = "";
  return Array.from(path.matchAll(SEGMENT), ([, pattern, word]) => {
    const segment = word ?? `:${pattern}`;
    const found: [string, string] = [place, segment];
    place += `/${segment}`;
    return found;
  });
}

/** 0 for a word, 1 for a pattern, 2 for any segment, 3 for any rest. */
function generality(segment: string): number {
  if (segment === "*") return 3;
  if (segment === ":") return 2;
  return segment.startsWith(":") ? 1 : 0;
}
