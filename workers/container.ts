import { Container } from "@cloudflare/containers";
import type { Env } from "../functions/http/env.ts";
import { gateway } from "./gateway.ts";

/**
 * Runs the transcoder's image. It has no way out but `worker.internal`, which is our own gateway, and holds no
 * credentials: hostile audio can reach nothing.
 */
export class TranscoderContainer extends Container<Env> {
  override defaultPort = 8080;
  override sleepAfter = "2m";
  override enableInternet = false;

  /** The platform stops an instance that gets no requests, even amid a job: one that works is kept. */
  override async onActivityExpired(): Promise<void> {
    const reply = await this.containerFetch("http://transcoder/healthz");
    const { jobs } = await reply.json<{ jobs: number }>();
    if (jobs > 0) this.renewActivityTimeout();
    else await this.stop();
  }
}

TranscoderContainer.outboundByHost = {
  "worker.internal": (request, env) => gateway.fetch(request, env as Env),
};
