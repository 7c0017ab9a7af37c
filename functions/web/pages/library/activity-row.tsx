import type { Activity } from "../../../api/activities/representation.ts";
import { textOf } from "../../../lib/text/plain-text.ts";
import { Day } from "../../../ui/day.tsx";
import { clock } from "../../../ui/words.ts";
import { Avatar } from "../rows/avatar.tsx";
import { Row } from "../rows/row.tsx";

/** One activity, in plain words. */
export const ActivityRow = ({ activity }: { activity: Activity }) => {
  const { who, did, track, said, at } = partsOf(activity);
  return (
    <Row
      href={at === null ? track.permalink_url : `${track.permalink_url}?t=${Math.floor(at / 1000)}`}
      title={track.title}
      picture={<Avatar of={who} size="row" />}
      note={
        <>
          <a href={who.permalink_url}>{who.username}</a> {did} · <Day at={activity.created_at} />
        </>
      }
      by={
        said && (
          <>
            <bdi>“{said}”</bdi>
            {at !== null && ` at ${clock(at)}`}
          </>
        )
      }
    />
  );
};

/** Returns the parts of the sentence. `at` is the position of a comment, in milliseconds. */
function partsOf(activity: Activity) {
  const has = (tag: string) => activity.tags?.split(", ").includes(tag) ?? false;
  switch (activity.type) {
    case "comment": {
      const { track, user, body, timestamp: at } = activity.origin;
      const did = has("own") ? "commented on your track" : "replied to you on";
      return { who: user, did, track, said: textOf(body), at };
    }
    case "favoriting": {
      const { track, user } = activity.origin;
      return { who: user, did: "liked your track", track, said: undefined, at: null };
    }
    case "track-sharing": {
      const { user, sharing_note } = activity.origin;
      const said = sharing_note.text ?? undefined;
      return { who: user, did: "shared with you", track: activity.origin, said, at: null };
    }
    case "track":
      return { who: activity.origin.user, did: "posted", track: activity.origin, said: undefined, at: null };
  }
}
