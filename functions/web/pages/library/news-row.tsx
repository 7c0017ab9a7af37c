import type { NewsGroup, NewsPerson } from "../../../../db/queries/news.ts";
import { avatarUrl } from "../../../api/images/links.ts";
import type { Env } from "../../../lib/http/env.ts";
import { shortened, textOf } from "../../../lib/text/plain-text.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { clock } from "../../../ui/words.ts";
import { FollowButton } from "../acts/follow-button.tsx";
import { Avatar } from "../rows/avatar.tsx";
import { CreditActs } from "./credit-acts.tsx";
import { commentPath, didOf, moreOf, peopleOf, subjectPath } from "./news-words.ts";

interface NewsRowProps {
  env: Env;
  reader: Reader;
  group: NewsGroup;
  isNew: boolean;
}

/** A sentence: several people did the same to one thing on one day. */
export const NewsRow = ({ env, reader, group, isNew }: NewsRowProps) => {
  const { kind, actors, people, at } = group;
  const path = subjectPath(group);
  const title = (group.track ?? group.set)?.title;
  const [first] = actors;
  return (
    <li class={isNew ? "row news-row new" : "row news-row"}>
      <div class="news-faces">
        {actors.map((person) => (
          <Avatar of={{ ...person, avatar_url: avatarUrl(env, person.avatar_version) }} size="row" />
        ))}
      </div>
      <div class="row-words">
        <p class="news-words">
          {isNew && <span class="badge">New</span>}{" "}
          {peopleOf(
            actors.map((person) => <Name person={person} />),
            people,
          )}{" "}
          {didOf(group)}{" "}
          {path && (
            <a class="news-subject" href={path}>
              <bdi>{title}</bdi>
            </a>
          )}{" "}
          {moreOf(group) && <a href="/">{moreOf(group)}</a>}
          <span class="soft">
            {" · "}
            <Day at={at} near />
          </span>
        </p>
        {group.note && (
          <p class="news-said">
            <bdi>“{shortened(group.note, SAID_LENGTH)}”</bdi>
          </p>
        )}
        {path && <Said group={group} path={path} />}
      </div>
      {kind === "follow" && first && people === 1 && (
        <div class="row-acts">
          <FollowButton env={env} reader={reader} user={first} follows={first.followed} />
        </div>
      )}
      {group.credit && group.track && (
        <div class="row-acts">
          <CreditActs env={env} reader={reader} track={group.track} state={group.credit.state} />
        </div>
      )}
      {kind === "follow" && people > 1 && (
        <div class="row-acts">
          <a class="act" href="/you/notifications?show=follows">
            See them
          </a>
        </div>
      )}
    </li>
  );
};

const Name = ({ person }: { person: NewsPerson }) => (
  <a href={`/${person.permalink}`}>
    <bdi>{person.username}</bdi>
  </a>
);

/** Characters of a comment. */
const SAID_LENGTH = 200;

/** The newest comments of the group, each with a link to itself. */
const Said = ({ group: { comments, people }, path }: { group: NewsGroup; path: string }) =>
  comments && (
    <ul class="news-said">
      {comments.map(({ id, username, body, timestamp_ms }) => (
        <li>
          <a href={commentPath(path, { id })}>
            <Apart>
              {people > 1 && (
                <span>
                  <bdi>{username}</bdi>:
                </span>
              )}
              <bdi>“{shortened(textOf(body), SAID_LENGTH)}”</bdi>
              {timestamp_ms !== null && <span>at {clock(timestamp_ms)}</span>}
            </Apart>
          </a>
        </li>
      ))}
    </ul>
  );
