import type { Context, Env, Handler, MiddlewareHandler } from "hono";
import type { RouterRoute } from "hono/types";

type Check = (c: Context) => void;

const checks = new WeakMap<Handler, Check>();
/** The same of middlewares that do more around requests that change something. */
const checksOfReads = new WeakMap<Handler, Check>();

/** A middleware that only looks, sets or refuses, ahead of what follows. */
export function ahead<E extends Env>(check: (c: Context<E>) => void): MiddlewareHandler<E> {
  const middleware: MiddlewareHandler<E> = (c, next) => {
    check(c);
    return next();
  };
  checks.set(middleware, check);
  return middleware;
}

/** As `ahead`; around what follows there is `changing`, which for reads only goes on. */
export function aheadOfReads<E extends Env>(
  check: (c: Context<E>) => void,
  changing: MiddlewareHandler<E>,
): MiddlewareHandler<E> {
  const middleware: MiddlewareHandler<E> = (c, next) => {
    check(c);
    return changing(c, next);
  };
  checksOfReads.set(middleware, check);
  return middleware;
}

const checkOf = ({ method, handler }: RouterRoute): Check | undefined =>
  checks.get(handler) ?? (method === "GET" ? checksOfReads.get(handler) : undefined);

/** The same routes with what stands ahead of a handler put into it: from one to the next Hono makes three promises. */
export function inFewLayers(routes: readonly RouterRoute[]): RouterRoute[] {
  const layers: RouterRoute[] = [];
  let before: Check[] = [];
  routes.forEach((route, index) => {
    const check = checkOf(route);
    const next = routes[index + 1];
    if (check && next?.method === route.method && next.path === route.path) {
      before.push(check);
    } else {
      layers.push({ ...route, handler: behind(before, route.handler) });
      before = [];
    }
  });
  return layers;
}

function behind(before: readonly Check[], handler: Handler): Handler {
  if (!before.length) return handler;
  return (c, next) => {
    for (const check of before) check(c);
    return handler(c, next);
  };
}
