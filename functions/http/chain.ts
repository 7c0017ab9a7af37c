import type { Context, Env, ErrorHandler, Handler, MiddlewareHandler, Next } from "hono";
import type { RouterRoute } from "hono/types";

type Reply = Awaited<ReturnType<MiddlewareHandler>>;

/** What of a middleware is still to be done, around all that follows; nothing where all of it was done at once. */
export type Around = ((next: Next) => Promise<Reply>) | undefined;

const steps = new WeakMap<Handler, (c: Context) => Around>();

/** A middleware that mostly needs not wait for what follows. */
export function step<E extends Env>(take: (c: Context<E>) => Around): MiddlewareHandler<E> {
  const middleware: MiddlewareHandler<E> = async (c, next) => {
    const around = take(c);
    return around ? around(next) : next();
  };
  steps.set(middleware, take);
  return middleware;
}

/** One that only looks, sets or refuses. */
export const ahead = <E extends Env>(check: (c: Context<E>) => void): MiddlewareHandler<E> =>
  step((c) => void check(c));

/** The same routes, each with all its handlers in one: from one to the next Hono would make three promises. */
export function inOneEach(routes: readonly RouterRoute[], onError: ErrorHandler): RouterRoute[] {
  const runs: { route: RouterRoute; handlers: Handler[] }[] = [];
  for (const route of routes) {
    const run = runs.at(-1);
    if (run?.route.method === route.method && run.route.path === route.path) run.handlers.push(route.handler);
    else runs.push({ route, handlers: [route.handler] });
  }
  return runs.map(({ route, handlers }) => ({ ...route, handler: inOne(handlers, onError) }));
}

/** One handler after the other, as Hono goes through them: what one throws is an answer to all that are around it. */
function inOne(handlers: readonly Handler[], onError: ErrorHandler): Handler {
  const links = handlers.map((handler) => ({ handler, take: steps.get(handler) }));

  function from(first: number, c: Context, next: Next): ReturnType<Handler> {
    for (let index = first; index < links.length; index++) {
      const { handler, take } = links[index] as (typeof links)[number];
      if (!take) return handler(c, () => after(index, c, next));
      const around = take(c);
      if (around) return around(() => after(index, c, next));
    }
    return next();
  }

  async function after(index: number, c: Context, next: Next): Promise<void> {
    try {
      const reply = await from(index + 1, c, next);
      if (reply && !c.finalized) c.res = reply;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      c.error = error;
      c.res = await onError(error, c);
    }
  }

  return (c, next) => from(0, c, next);
}
