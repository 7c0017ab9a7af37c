import type { Context } from "hono";
import type { Credits } from "../../../api/credits/representation.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { Cover } from "../rows/cover.tsx";
import { Nothing } from "../rows/nothing.tsx";
import { More, withCursor } from "../rows/paging.tsx";
import { Row, Rows } from "../rows/row.tsx";
import { CreditActs } from "./credit-acts.tsx";
import { partsOf } from "./news-words.ts";

interface Page {
  collection: Credits;
  next_href?: string;
}

/** Shows the tracks that name the reader as an artist, to accept, decline or withdraw. */
export async function showCredits(c: Context<AppEnv>): Promise<Response> {
  const path = withCursor("/me/credits?limit=50&linked_partitioning=true", c.req.url);
  const { collection, next_href } = await readApi<Page>(c, path);
  const reader = readerOf(c);
  return showSite(
    c,
    { title: "Your credits", reader, styles: ["news.css"] },
    <>
      <header class="page-head">
        <h1>Your credits</h1>
        <a href="/you/notifications">Notifications</a>
      </header>
      <p class="soft">
        Tracks of others that name you as an artist. A track links you once you accept, and your profile shows
        it.
      </p>
      {collection.length > 0 ? (
        <Rows label="Your credits">
          {collection.map((credit) => (
            <CreditRow env={c.env} reader={reader} credit={credit} />
          ))}
        </Rows>
      ) : (
        <Nothing step={["/discover", "Discover tracks"]}>No track names you as an artist yet.</Nothing>
      )}
      <More reader={reader} next={next_href} />
    </>,
  );
}

type CreditRowProps = { env: Env; reader: Reader; credit: Credits[number] };

const CreditRow = ({ env, reader, credit: { state, asked_at, roles, track } }: CreditRowProps) => (
  <Row
    href={track.permalink_url}
    title={track.title}
    picture={<Cover of={track} size="row" />}
    by={
      <>
        <a href={track.user.permalink_url}>{track.user.username}</a> named you as {partsOf(roles)} ·{" "}
        <Day at={asked_at} near />
      </>
    }
    acts={<CreditActs env={env} reader={reader} track={track} state={state} />}
  />
);
