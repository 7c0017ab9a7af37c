import * as z from "zod";
import type { BegunMail } from "../../db/queries/mails.ts";
import { webhookUri } from "../../functions/api/webhooks/representation.ts";
import {
  addressChangedMail,
  addressChangeMail,
  appMail,
  confirmationMail,
  deprecationMail,
  originalDeletedMail,
  passwordChangedMail,
  podcastCodeMail,
  resetMail,
  secondFactorMail,
  tokenMadeMail,
  webhookDisabledMail,
} from "../../functions/auth/accounts/mails.ts";
import { RemovalFacts, removalMail } from "../../functions/auth/accounts/removal-mail.ts";
import { endingNamed } from "../../functions/lib/http/deprecations.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import { unsealBase64 } from "../../functions/lib/security/sealing.ts";
import type { Mail } from "../../functions/lib/services/mail.ts";

const Disabled = z.object({ webhook: z.number(), reason: z.enum(["gone", "failing"]) });
/** Mails of earlier releases tell of one track. */
const Original = z.object({ days: z.number(), tracks: z.number().default(1) });
const Factor = z.object({ change: z.enum(["set up", "removed"]) });
const ActOnApp = z.object({
  event: z.enum(["revoke", "restore"]),
  app: z.string(),
  message: z.string().nullable(),
});
const Deprecated = z.object({ apps: z.array(z.string()), deprecation: z.string() });
const MadeToken = z.object({ scope: z.string(), ends_at: z.string() });
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
    case "token-made": {
      const { scope, ends_at } = MadeToken.parse(facts);
      return tokenMadeMail(env, to, scope, ends_at);
    }
    case "second-factor":
      return secondFactorMail(env, to, Factor.parse(facts).change);
    case "webhook-disabled": {
      const { webhook, reason } = Disabled.parse(facts);
      return webhookDisabledMail(env, to, webhookUri(env, webhook), reason);
    }
    case "original-deleted":
      return originalDeletedMail(env, to, Original.parse(facts));
    case "deprecation": {
      const { apps, deprecation } = Deprecated.parse(facts);
      return deprecationMail(env, to, apps, endingNamed(deprecation));
    }
    case "app":
      return appMail(env, to, ActOnApp.parse(facts));
    case "podcast-code":
      return podcastCodeMail(env, to, secret());
    case "removal":
      return removalMail(env, to, RemovalFacts.parse(facts));
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
