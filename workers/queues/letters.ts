import * as z from "zod";
import type { BegunMail } from "../../db/queries/mails.ts";
import { webhookUri } from "../../functions/api/webhooks/representation.ts";
import {
  addressChangedMail,
  addressChangeMail,
  confirmationMail,
  passwordChangedMail,
  podcastCodeMail,
  resetMail,
  secondFactorMail,
  webhookDisabledMail,
} from "../../functions/auth/accounts/mails.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { unsealBase64 } from "../../functions/lib/security/sealing.ts";
import type { Mail } from "../../functions/lib/services/mail.ts";

const Disabled = z.object({ webhook: z.number(), reason: z.enum(["gone", "failing"]) });
const Factor = z.object({ change: z.enum(["set up", "removed"]) });
const Words = z.object({ subject: z.string(), text: z.string() });

/** Writes a queued mail. Its row holds only what the text needs. */
export function letterOf(env: Env, { kind, recipient: to, sealed, facts }: BegunMail): Mail {
  const secret = () => opened(env, sealed);
  switch (kind) {
    case "confirm":
      return confirmationMail(env, to, secret());
    case "reset":
      return resetMail(env, to, secret());
    case "cancel":
      return addressChangeMail(env, to, secret());
    case "address-changed":
      return addressChangedMail(env, to);
    case "password-changed":
      return passwordChangedMail(env, to);
    case "second-factor":
      return secondFactorMail(env, to, Factor.parse(facts).change);
    case "webhook-disabled": {
      const { webhook, reason } = Disabled.parse(facts);
      return webhookDisabledMail(env, to, webhookUri(env, webhook), reason);
    }
    case "podcast-code":
      return podcastCodeMail(env, to, secret());
    case "report":
      return { to, ...Words.parse(JSON.parse(secret())) };
    case "news":
      throw new Error("the text of news is read when it is sent");
  }
}

function opened(env: Env, sealed: string | null): string {
  const secret = sealed === null ? undefined : unsealBase64(env, sealed);
  if (secret === undefined) throw new Error("none of SEAL_KEYS opens what the mail says");
  return secret;
}
