import type { NewsGroup } from "../../../../db/queries/news.ts";
import type { NewsMail } from "../../../../db/queries/news-mails.ts";
import type { Env } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import type { Mail } from "../../../lib/services/mail.ts";
import { shortened } from "../../../lib/text/plain-text.ts";
import { siteName } from "../../../ui/name.ts";
import { endUrl } from "./end-link.ts";
import { commentPath, didOf, moreOf, peopleOf, subjectPath } from "./news-words.ts";

const SUBJECTS: Record<NewsMail, string> = {
  comments: "New comments and replies",
  followers: "New followers",
  likes: "New likes and reposts",
  tracks: "New tracks for you",
  daily: "Your day",
};

interface News {
  userId: number;
  mail: NewsMail;
  groups: NewsGroup[];
  /** Whether there is more than the groups. */
  more: boolean;
}

/**
 * A mail about news, which its reader chose. Others' names and titles stand in it, shortened, but not what they wrote: a comment
 * may be deleted later, and a mail may not.
 */
export function newsMail(env: Env, to: string, { userId, mail, groups, more }: News): Mail {
  const end = endUrl(env, { userId, mail });
  const name = siteName(env);
  const paragraphs = [
    ...groups.map((group) => `${sentenceOf(group)}\n${webUrl(env, linkOf(group))}`),
    `${more ? "There is more in your" : "Your"} notifications:\n${webUrl(env, "/you/notifications")}`,
    `You chose this mail. Change what you get:\n${webUrl(env, "/you/notifications/mails")}\nEnd this mail:\n${end}`,
  ];
  return {
    to,
    subject: `${SUBJECTS[mail]} on ${name}`,
    text: `${paragraphs.join("\n\n")}\n\n${name}\n`,
    // RFC 8058: one press in the mail program ends it.
    headers: { "List-Unsubscribe": `<${end}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
  };
}

function sentenceOf(group: NewsGroup): string {
  const people = peopleOf(
    group.actors.map(({ username }) => inMail(username)),
    group.people,
  );
  const title = (group.track ?? group.set)?.title;
  const more = moreOf(group);
  return `${people.join("")} ${didOf(group)}${title === undefined ? "" : ` ${inMail(title)}`}${more ? ` ${more}` : ""}`;
}

function linkOf(group: NewsGroup): string {
  const path = subjectPath(group);
  const [comment] = group.comments ?? [];
  if (path) return comment ? commentPath(path, comment) : path;
  const [follower] = group.actors;
  return group.people === 1 && follower ? `/${follower.permalink}` : "/you/notifications?show=follows";
}

/** Characters of a name or title. */
const LENGTH = 80;

/** One line, without characters that turn the direction of what follows. */
const inMail = (text: string) =>
  shortened(text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ").trim(), LENGTH);
