import type { Context } from "hono";
import { secretQuery } from "../../../api/tracks/secret.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { escaped } from "../../../lib/text/plain-text.ts";
import { ACT } from "../../../ui/bar.tsx";
import type { FormState } from "../../../ui/form.tsx";
import { readOwnForm } from "../../../ui/form-guard.ts";
import { formPage } from "../../../ui/form-page.ts";
import { ApiRefusal, writeApi } from "../../../ui/own-api.ts";
import { readClock } from "../../../ui/words.ts";

interface Written {
  id: number;
}

/** Submits a track page's comment. Returns its id, or the form to show again. */
export async function writeComment(
  c: Context<AppEnv>,
  secret: string | undefined,
): Promise<Written | { status: 422 | 429; state: FormState }> {
  const { pathname, search } = new URL(c.req.url);
  formPage(c, pathname + search);
  const { track = "", body = "", moment = "" } = await readOwnForm(c, ACT);
  const values = { body, moment };
  const timestamp = moment.trim() === "" ? null : readClock(moment);
  if (timestamp === undefined)
    return { status: 422, state: { values, problems: { moment: "must be a time such as 1:23" } } };
  try {
    return await writeApi<Written>(c, "POST", commentsOf(track, secret), {
      comment: { body: paragraphs(body), timestamp },
    });
  } catch (error) {
    if (!(error instanceof ApiRefusal && (error.status === 422 || error.status === 429))) throw error;
    const { timestamp: ofMoment, ...problems } = error.problems;
    return {
      status: error.status,
      state: { values, problems: ofMoment === undefined ? problems : { ...problems, moment: ofMoment } },
    };
  }
}

const commentsOf = (track: string, secret: string | undefined): string =>
  `/tracks/${encodeURIComponent(track)}/comments${secretQuery(secret)}`;

/** The field takes plain text, and the API takes HTML. */
const paragraphs = (text: string): string => escaped(text.trim()).replace(/\r\n?|\n/g, "<br>");
