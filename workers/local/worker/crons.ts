import { messageOf } from "../../../functions/lib/errors/message-of.ts";

/** Seconds, more often than the deployed schedule. The keys are the crons of wrangler.toml. */
const EVERY_S = { "* * * * *": 2, "*/5 * * * *": 60 };
const RESET_EVERY_S = { "0 4 * * *": 86_400 };

/** Fires the crons, which workerd never does by itself. A slow run delays the next; runs never overlap. */
export function openCrons(options: {
  scheduled: (options: { cron: string }) => Promise<{ outcome: string }>;
  log: (line: string) => void;
  sandbox: boolean;
}) {
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const complaints = new Map<string, string>();

  const tick = async (cron: string) => {
    const complaint = await options
      .scheduled({ cron })
      .then(({ outcome }) => (outcome === "ok" ? undefined : `outcome ${outcome}`), messageOf);
    // Logs a lasting failure once, not every two seconds.
    if (complaint && complaint !== complaints.get(cron) && !stopped)
      options.log(`cron "${cron}": ${complaint}`);
    if (complaint) complaints.set(cron, complaint);
    else complaints.delete(cron);
  };

  const schedule = (cron: string, seconds: number) => {
    if (stopped) return;
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const run = tick(cron);
      running.add(run);
      await run;
      running.delete(run);
      schedule(cron, seconds);
    }, seconds * 1000);
    timers.add(timer);
  };
  const crons = { ...EVERY_S, ...(options.sandbox && RESET_EVERY_S) };
  for (const [cron, seconds] of Object.entries(crons)) schedule(cron, seconds);

  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, 1_000))]);
    },
  };
}
