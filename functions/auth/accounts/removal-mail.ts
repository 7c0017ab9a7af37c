import * as z from "zod";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { siteName } from "../../ui/name.ts";
import { mail } from "./mails.ts";

/** Facts of a mail about something that operators removed. The owner gets the case, a reporter the reported address. */
export const RemovalFacts = z.object({
  event: z.enum(["removed", "answered", "upheld", "restored"]),
  kind: z.enum(["track", "playlist", "comment", "picture"]),
  reason: z.string().nullable(),
  removal: z.number().optional(),
  name: z.string().optional(),
  url: z.string().optional(),
});
export type RemovalFacts = z.infer<typeof RemovalFacts>;

const NAMES = { track: "track", playlist: "set", comment: "comment", picture: "picture" };

export function removalMail(env: Env, to: string, facts: RemovalFacts) {
  const { removal, reason } = facts;
  const words = removal === undefined ? REPORTER_WORDS : OWNER_WORDS;
  const [subject, ...paragraphs] = words[facts.event](NAMES[facts.kind], siteName(env));
  return mail(
    env,
    to,
    subject,
    ...paragraphs,
    ...(facts.name ? [`“${facts.name}”`] : []),
    ...(reason ? [`The reason: ${reason}`] : []),
    removal === undefined ? (facts.url ?? "") : webUrl(env, `/you/removals/${removal}`),
  );
}

type Words = Record<RemovalFacts["event"], (what: string, site: string) => [string, ...string[]]>;

const OWNER_WORDS: Words = {
  removed: (what, site) => [
    `Your ${what} was removed`,
    `The people who run ${site} removed a ${what} of yours. Nobody else sees it now. If you think that this is a mistake, the page below takes your answer.`,
  ],
  answered: (what) => [
    "We have your answer",
    `Your answer about a removed ${what} is with the people who decide. Nothing is restored by itself; you get a mail once they have decided.`,
  ],
  upheld: (what) => [`Your ${what} stays removed`, `Your answer was read, and the ${what} stays removed.`],
  restored: (what) => [`Your ${what} is back`, `A ${what} of yours that had been removed was restored.`],
};

const REPORTER_WORDS: Words = {
  removed: (what, site) => [
    `The ${what} that you reported was removed`,
    `You reported this address on ${site}. The ${what} was removed; its owner may object.`,
  ],
  answered: (what, site) => [
    `An objection to the removal of a ${what}`,
    `You reported this address on ${site}. The owner of the ${what} objects to its removal. The ${what} stays removed until the people who run the site decide. If your report was about copyright, ask them for a copy of the objection.`,
  ],
  upheld: (what, site) => [
    `The ${what} that you reported stays removed`,
    `You reported this address on ${site}. The owner objected; the ${what} stays removed.`,
  ],
  restored: (what, site) => [
    `The ${what} that you reported is back`,
    `You reported this address on ${site}. The ${what} had been removed and was restored.`,
  ],
};
