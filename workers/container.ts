import { Container } from "@cloudflare/containers";
import { openDatabase } from "../db/client.ts";
import type { Env } from "../functions/http/env.ts";
import { gateway } from "./gateway.ts";
import { wakeNext } from "./wake-next.ts";

/** Milliseconds. It answers at once or is stuck. */
const PATIENCE_MS = 30_000;

/**
 * Runs the transcoder's image. It reaches only `worker.internal`, our gateway, and holds no credentials.
 * Hostile audio can thus reach nothing.
 */
export class TranscoderContainer extends Container<Env> {
  /** Outbound handlers are found by this name, which minifying would change. */
  static override readonly name = "TranscoderContainer";
  override defaultPort = 8080;
  override sleepAfter = "2m";
  override enableInternet = false;

  /** Keeps a busy instance. The platform stops those without requests, even during a job. */
  override async onActivityExpired(): Promise<void> {
    if ((await this.#jobs().catch(() => 0)) > 0) this.renewActivityTimeout();
    else await this.stop();
  }

  /** A stopped instance leaves room for another job. */
  override onStop(): Promise<void> {
    return wakeNext(openDatabase(this.env), this.env);
  }

  async #jobs(): Promise<number> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await this.containerFetch("http://transcoder/healthz", { signal });
    return (await reply.json<{ jobs: number }>()).jobs;
  }
}

TranscoderContainer.outboundByHost = {
  "worker.internal": (request, env) => gateway.fetch(request, env as Env),
};
