import { stack } from "./stack.ts";
import { type Settings, startWorkerBeside } from "./worker-beside.ts";

/** Starts another Worker beside the project's stack, for a test that needs other settings or empty caches. */
export async function startSecondWorker(changed: Settings = () => ({})) {
  const worker = await startWorkerBeside(stack, changed);
  return {
    ...worker,
    /** The same path at this Worker. */
    at: (url: string) => {
      const { pathname, search } = new URL(url, stack.urls.api);
      return `http://127.0.0.1:${worker.port}${pathname}${search}`;
    },
  };
}
