import type { Context } from "hono";
import { secretQuery } from "../../../api/tracks/secret.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { escaped } from "../../../lib/text/plain-text.ts";
import { ACT } from "../../../ui/bar.tsx";
import type { FormState } from "../../../ui/form.tsx";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ownPath } from "../../../ui/next.ts";
import { ApiRefusal, writeApi } from "../../../ui/own-api.ts";
import { readClock } from "../../../ui/words.ts";
import { pathWith } from "../rows/paging.tsx";

interface Written {
  id: number;
}

/** Submits a track page's comment, or the reply whose form is open. Returns its address, or the form to show again. */
export async function writeComment(
  c: Context<AppEnv>,
  { secret, replyTo }: { secret: string | undefined; replyTo: number | undefined },
): Promise<{ page: string } | { status: 422 | 429; state: FormState }> {
  const { pathname, search } = new URL(c.req.url);
  formPage(c, pathname + search);
  const { track = "", body = "", moment = "", next } = await readOwnForm(c, ACT);
  const values = { body, moment };
  const timestamp = moment.trim() === "" ? null : readClock(moment);
  if (timestamp === undefined)
    return { status: 422, state: { values, problems: { moment: "must be a time such as 1:23" } } };
  try {
    const { id } = await writeApi<Written>(c, "POST", commentsOf(track, secret), {
      comment: { body: paragraphs(body), timestamp, parent_id: replyTo },
    });
    const page =
      replyTo === undefined ? pathWith(pathname + search, { thread: undefined }) : ownPath(next, pathname);
    return { page: `${page}#comment-${id}` };
  } catch (error) {
    if (!(error instanceof ApiRefusal && (error.status === 422 || error.status === 429))) throw error;
    const { timestamp: ofMoment, parent_id: ofParent, ...problems } = error.problems;
    if (ofParent !== undefined) problems.gone = GONE;
    return {
      status: error.status,
      state: { values, problems: ofMoment === undefined ? problems : { ...problems, moment: ofMoment } },
    };
  }
}

const GONE = "The comment that you replied to is no longer there. Your words can be a comment of their own.";

const commentsOf = (track: string, secret: string | undefined): string =>
  `/tracks/${encodeURIComponent(track)}/comments${secretQuery(secret)}`;

/** The field takes plain text, and the API takes HTML. */
const paragraphs = (text: string): string => escaped(text.trim()).replace(/\r\n?|\n/g, "<br>");
