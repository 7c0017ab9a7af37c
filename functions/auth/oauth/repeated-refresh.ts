import type { Context } from "hono";
import * as z from "zod";
import { type FirstReply, type Issued, keepWholeReply } from "../../../db/queries/oauth.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { keyIn } from "../../lib/http/idempotency.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { hashSecret } from "../../lib/security/random.ts";
import { seal, unsealBase64 } from "../../lib/security/sealing.ts";
import { issueTokens, type TokenReply } from "./token-reply.ts";

/** Seconds. A client that lost a reply retries at once. */
const KEPT_S = 60;

export const REFRESH_KEY = z.object({
  "Idempotency-Key": z
    .string()
    .optional()
    .describe(
      `For the refresh grant: the same key, client and token within ${KEPT_S} seconds get the same reply, so that a lost reply ends no session. Take a UUID for each refresh.`,
    ),
});

type Tokens = z.output<typeof TokenReply>;

/** A refresh with an `Idempotency-Key`. A repeated key is a retry after a lost reply, not a reuse. */
export class RepeatableRefresh {
  readonly #c: Context<AppEnv>;
  readonly #identity: Pick<FirstReply, "keyHash" | "fingerprint">;

  constructor(
    c: Context<AppEnv>,
    sent: string,
    clientId: string,
    old: { hash: string; scope: string | undefined },
  ) {
    this.#c = c;
    this.#identity = {
      keyHash: digest("refresh", clientId, keyIn(sent)),
      fingerprint: digest(old.hash, old.scope ?? ""),
    };
  }

  /** Stored by the statement, before the tokens' session is known. */
  firstReply = (refreshToken: string): FirstReply => this.#sealed({ refresh_token: refreshToken });

  /** Returns the first reply. If only its refresh token could be stored, issues an access token for it. */
  async repeat(clientId: string, issued: Issued, kept: string): Promise<Tokens | undefined> {
    const opened = unsealBase64(this.#c.env, kept);
    if (opened === undefined) return undefined;
    const first: Tokens | Pick<Tokens, "refresh_token"> = JSON.parse(opened);
    this.#c.header("Idempotent-Replayed", "true");
    return "access_token" in first ? first : issueTokens(this.#c, clientId, issued, first.refresh_token);
  }

  /** If this fails, a retry still gets the refresh token. */
  async keep(tokens: Tokens): Promise<void> {
    await keepWholeReply(this.#c.var.db, this.#sealed(tokens)).catch((error: unknown) =>
      logLine("warn", "token_reply_not_kept", {
        request_id: this.#c.var.requestId,
        ...describeError(error),
      }),
    );
  }

  #sealed = (reply: Partial<Tokens>): FirstReply => ({
    ...this.#identity,
    sealed: seal(this.#c.env, JSON.stringify(reply)),
    keptS: KEPT_S,
  });
}

/** No part contains a line break. */
const digest = (...parts: string[]) => Buffer.from(hashSecret(parts.join("\n")), "base64url");
