import { expect } from "vitest";
import type { FaultyStack } from "./faulty-stack.ts";

/**
 * Kills Postgres until a request was refused, and waits for the next one. A restart may be so quick that a request's own
 * repetition outlasts it, so the next Postgres is killed as well.
 */
export async function killPostgresUntil(isRefused: () => boolean, { stack }: FaultyStack): Promise<void> {
  let killed: number | undefined;
  const killAgain = () => {
    if (isRefused()) return true;
    const { postgres } = stack.pids();
    if (postgres && postgres !== killed) process.kill(postgres, "SIGKILL");
    killed = postgres ?? killed;
    return false;
  };
  await expect.poll(killAgain, { interval: 500 }).toBe(true);
  // Connections outlive their Postgres for a moment, and their success would count as the restart.
  await expect.poll(() => stack.pids().postgres ?? killed).not.toBe(killed);
}
