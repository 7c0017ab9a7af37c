import { Container } from "@cloudflare/containers";
import { openDatabase } from "../../db/client.ts";
import { noteTranscoder } from "../../db/queries/job-pool.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { describeError, logLine } from "../../functions/lib/http/log.ts";
import { gateway } from "./gateway.ts";
import { fillPool, noteEnd } from "./pool.ts";

/** Milliseconds. It answers at once or is stuck. */
const PATIENCE_MS = 30_000;

/** Seconds without a job before an instance stops. Starting another takes half a minute. */
const IDLE_S = 120;

/**
 * Runs the transcoder's image. It reaches only `worker.internal`, our gateway, and holds no credentials.
 * Hostile audio can thus reach nothing.
 */
export class TranscoderContainer extends Container<Env> {
  /** Outbound handlers are found by this name, which minifying would change. */
  static override readonly name = "TranscoderContainer";
  override defaultPort = 8080;
  /** Interval of the check whether it works. Running jobs do not count as requests. */
  override sleepAfter = "1m";
  override enableInternet = false;
  #starting: Promise<void> | undefined;

  /** Answers an offered job at once, because a queue's batch waits. Pictures wait for the start. */
  override async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== "/jobs" || (await this.#isUp())) return super.fetch(request);
    this.#starting ??= this.startAndWaitForPorts()
      .catch((error: unknown) => logLine("warn", "container_not_started", this.#about(error)))
      .finally(() => {
        this.#starting = undefined;
      });
    this.ctx.waitUntil(this.#starting);
    return Response.json({ error: "starting" }, { status: 503 });
  }

  /** Offers waiting jobs to the new instance. Not awaited, because it accepts no request before this returns. */
  override onStart(): void {
    this.ctx.waitUntil(this.#takeJobs());
  }

  /** Keeps a busy instance. The platform stops those without requests, even during a job. */
  override async onActivityExpired(): Promise<void> {
    const { jobs, idle_s } = await this.#health().catch(() => ({ jobs: 0, idle_s: IDLE_S }));
    if (jobs > 0 || idle_s < IDLE_S) this.renewActivityTimeout();
    else await this.stop();
  }

  override async onStop(): Promise<void> {
    await noteEnd(openDatabase(this.env), this.env, this.#name()).catch((error: unknown) =>
      logLine("warn", "container_stop_not_noted", this.#about(error)),
    );
  }

  async #takeJobs(): Promise<void> {
    try {
      const db = openDatabase(this.env);
      await noteTranscoder(db, this.#name());
      await fillPool(db, this.env, null);
    } catch (error) {
      logLine("warn", "container_takes_no_jobs", this.#about(error));
    }
  }

  async #isUp(): Promise<boolean> {
    return this.ctx.container?.running === true && (await this.getState()).status === "healthy";
  }

  async #health(): Promise<{ jobs: number; idle_s: number }> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await this.containerFetch("http://transcoder/healthz", { signal });
    return reply.json();
  }

  #name = (): string => this.ctx.id.name ?? "unnamed";

  #about = (error: unknown) => ({ transcoder: this.#name(), ...describeError(error) });
}

TranscoderContainer.outboundByHost = {
  "worker.internal": (request, env) => gateway.fetch(request, env as Env),
};
