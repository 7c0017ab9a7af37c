import * as z from "zod";
import { about, idText, text } from "../../lib/text/fields.ts";
import { sanitizeHtml } from "../../lib/text/html.ts";

/** Characters of HTML, in the request and stored. Escaping may lengthen it. */
const MAX_BODY = 2_000;
const MAX_STORED_BODY = 4_000;

export const CommentId = z.object({ id: idText("comments").describe("Id or URN of the comment.") });

export const TrackCommentId = z.object({
  id: idText("tracks").describe("Id or URN of the track."),
  commentId: idText("comments").describe("Id or URN of a comment on the track."),
});

/** Whether visible text remains without the tags. */
const saysSomething = (html: string) => /[^\p{Z}\p{C}]/u.test(html.replace(/<[^>]*>/g, ""));

const Body = text(MAX_BODY)
  .transform(sanitizeHtml)
  .refine(({ length }) => length <= MAX_STORED_BODY, "is too long once it is escaped")
  .refine(saysSomething, "must not be empty")
  .meta(about("HTML. Tags that are not allowed are dropped.", "Lovely bass line"));

/** A number, a number as text, or nothing. */
const numberOrNothing = (schema: z.ZodNumber, error: string) =>
  z
    .union(
      [
        schema,
        z.literal("").transform(() => null),
        z
          .string()
          .regex(/^[0-9]{1,16}$/)
          .transform(Number)
          .pipe(schema),
        z.null(),
      ],
      error,
    )
    .optional();

const NO_TIMESTAMP = "must be a whole number of milliseconds, 0 or more";

/** It may exceed the duration, which is unknown at first. */
const Timestamp = numberOrNothing(z.int(NO_TIMESTAMP).min(0, NO_TIMESTAMP), NO_TIMESTAMP).meta(
  about("Milliseconds from the start of the track. Omitted or null: the comment is not timed.", 61000),
);

const NO_ID = "must be an id";

const Parent = numberOrNothing(z.int(NO_ID).min(1, NO_ID), NO_ID).meta(
  about("The comment to reply to. A reply to a reply joins its thread.", 338914811904100),
);

/** Read-only and unknown fields are ignored. */
export const NewCommentBody = z
  .object({
    comment: z.object({ body: Body, timestamp: Timestamp, parent_id: Parent }).describe("The comment."),
  })
  .meta({ id: "NewComment" });

/** Omitted fields stay unchanged. */
export const CommentChangesBody = z
  .object({ comment: z.object({ body: Body.optional(), timestamp: Timestamp }).describe("The comment.") })
  .meta({ id: "CommentChanges" });

export type NewCommentFields = z.output<typeof NewCommentBody>["comment"];
export type CommentFields = z.output<typeof CommentChangesBody>["comment"];
