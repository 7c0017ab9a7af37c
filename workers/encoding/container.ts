import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../db/client.ts";
import { noteTranscoder } from "../../db/queries/job-pool.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { describeError, logLine } from "../../functions/lib/http/log.ts";
import { gateway } from "./gateway.ts";
import { fillPool, noteEnd } from "./pool.ts";

const PORT = 8080;
const SIGTERM = 15;

/** Milliseconds between looks at a container that starts, and for which it may start. Most take half a minute. */
const LOOK_MS = 500;
const START_MS = 90_000;

/** Milliseconds. It answers at once or is stuck. */
const PATIENCE_MS = 30_000;

/** Milliseconds between checks whether it works. */
const CHECK_MS = 60_000;

/** Seconds without a job before an instance stops. Starting another takes half a minute. */
const IDLE_S = 120;

/** Milliseconds after which the platform ends a container that is checked no more. */
const ABANDONED_MS = 15 * 60_000;

/** HTTP that leaves the container. Only our gateway answers. */
export class ContainerOutbound extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Response | Promise<Response> {
    const { protocol, host } = new URL(request.url);
    if (protocol === "http:" && host === "worker.internal") return gateway.fetch(request, this.env);
    return new Response("Only worker.internal is reached from here.", { status: 403 });
  }
}

/**
 * Runs the transcoder's image. It reaches only `worker.internal`, our gateway, and holds no credentials.
 * Hostile audio can thus reach nothing.
 */
export class TranscoderContainer extends DurableObject<Env> {
  #starting: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (this.#container.running) this.#watch();
  }

  /** Answers an offered job at once, because a queue's batch waits. Pictures wait for the start. */
  override async fetch(request: Request): Promise<Response> {
    const isUp = this.#container.running && !this.#starting;
    if (!isUp && new URL(request.url).pathname === "/jobs") {
      this.ctx.waitUntil(this.#start().catch(this.#noteFailure));
      return Response.json({ error: "starting" }, { status: 503 });
    }
    if (!isUp) await this.#start();
    return this.#transcoder.fetch(request);
  }

  /** Stops an idle instance. Notes the end of one that stopped while this object was not in memory. */
  override async alarm(): Promise<void> {
    if (!this.#container.running) return this.#noteEnd();
    const { jobs, idle_s } = await this.#health().catch(() => ({ jobs: 0, idle_s: IDLE_S }));
    if (jobs === 0 && idle_s >= IDLE_S && !this.#starting) this.#container.signal(SIGTERM);
    await this.#checkLater();
  }

  /** Callers share one start. */
  #start(): Promise<void> {
    this.#starting ??= this.#startAndWait().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startAndWait(): Promise<void> {
    const exports = this.ctx.exports as unknown as { ContainerOutbound: Fetcher };
    await this.#container.interceptAllOutboundHttp(exports.ContainerOutbound);
    for (const until = Date.now() + START_MS; ; await sleep(LOOK_MS)) {
      try {
        // A start may fail while the account has no room, or end at once.
        if (!this.#container.running) this.#launch();
        await this.#health();
        break;
      } catch (error) {
        if (Date.now() > until) throw error;
      }
    }
    await this.#container.setInactivityTimeout(ABANDONED_MS);
    await this.#checkLater();
    // Not awaited, because the container takes no request before this start has ended.
    this.ctx.waitUntil(this.#takeJobs());
  }

  #launch(): void {
    this.#container.start({ enableInternet: false });
    this.#watch();
  }

  #watch(): void {
    const ended = this.#container.monitor().catch((error: unknown) => {
      logLine("warn", "container_failed", this.#about(error));
    });
    this.ctx.waitUntil(ended.then(() => this.#noteEnd()));
  }

  /** Its jobs are offered elsewhere at once. An end may be noted twice. */
  async #noteEnd(): Promise<void> {
    try {
      await noteEnd(openDatabase(this.env), this.env, this.#name());
    } catch (error) {
      logLine("warn", "container_stop_not_noted", this.#about(error));
    }
  }

  /** Offers waiting jobs to the new instance. */
  async #takeJobs(): Promise<void> {
    try {
      const db = openDatabase(this.env);
      await noteTranscoder(db, this.#name());
      await fillPool(db, this.env, null);
    } catch (error) {
      logLine("warn", "container_takes_no_jobs", this.#about(error));
    }
  }

  async #health(): Promise<{ jobs: number; idle_s: number }> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await this.#transcoder.fetch("http://transcoder/healthz", { signal });
    return reply.json();
  }

  #checkLater = () => this.ctx.storage.setAlarm(Date.now() + CHECK_MS);

  #noteFailure = (error: unknown) => logLine("warn", "container_not_started", this.#about(error));

  get #container(): Container {
    if (!this.ctx.container) throw new Error("wrangler.toml names no container for this class");
    return this.ctx.container;
  }

  get #transcoder(): Fetcher {
    return this.#container.getTcpPort(PORT);
  }

  #name = (): string => this.ctx.id.name ?? "unnamed";

  #about = (error: unknown) => ({ transcoder: this.#name(), ...describeError(error) });
}
