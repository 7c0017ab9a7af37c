import type { Chapter } from "../../../../db/schema/podcasts.ts";
import { PICTURE_FILE } from "../../../api/images/limits.ts";
import { chaptersOf } from "../../../api/podcasts/chapters.ts";
import type { Links } from "../../../lib/http/links.ts";
import { EMPTY, Field, Form, type FormState } from "../../../ui/form.tsx";
import { clock } from "../../../ui/words.ts";
import { ChapterPicture } from "../permalinks/chapter-picture.tsx";
import { Removal, type TextFormProps } from "./episode-texts.tsx";

interface ChaptersFormProps extends TextFormProps {
  links: Links;
  /** The submitted form for a picture. */
  picture: FormState | undefined;
}

const ORIGINS = {
  uploaded: "From your file:",
  description: "From the description:",
  file: "From the audio file:",
};

/** The chapters of an episode, and forms for a file of others and for a picture. */
export const ChaptersForm = ({ track, links, picture, ...form }: ChaptersFormProps) => {
  const { source, chapters } = chaptersOf({
    stored: track.chapters,
    description: track.description,
    durationMs: track.duration_ms ?? 0,
  });
  return (
    <section class="card" aria-labelledby="chapters-heading">
      <h2 id="chapters-heading">Chapters</h2>
      {chapters.length > 0 ? (
        <>
          <p>{ORIGINS[source]}</p>
          <ol class="chapter-list">
            {chapters.map((chapter) => (
              <li>
                <span class="chapter">
                  <ChapterPicture links={links} chapter={chapter} />
                  <span class="chapter-time">{clock(chapter.start)}</span>{" "}
                  <span dir="auto">{chapter.title}</span>
                </span>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <p>There are none yet.</p>
      )}
      <p class="hint">
        Lines of the description that begin with a time are chapters, such as “0:00 Hello” and “12:30 The
        guest”. An uploaded file is used instead of them, and can have pictures and links.
      </p>
      <FileForm {...form} isReplaced={source !== "description"} />
      {source !== "description" && (
        <>
          <Removal name="chapters" {...form} words="Remove these chapters" />
          <PictureForm {...form} track={track.id} chapters={chapters} state={picture ?? EMPTY} />
        </>
      )}
    </section>
  );
};

const nameOf = ({ start, title = "" }: Chapter): string => `${clock(start)} ${title}`.trim();

type FileFormProps = Omit<TextFormProps, "track"> & { isReplaced: boolean };

const FileForm = ({ state = EMPTY, isReplaced, ...form }: FileFormProps) => (
  <Form
    {...form}
    name="chapters"
    hidden={{ part: "chapters" }}
    state={state}
    labels={{ file: "File" }}
    submit={isReplaced ? "Replace" : "Upload"}
    kind="quiet"
    hasFile
  >
    <Field
      form="chapters"
      state={state}
      name="file"
      label="File"
      type="file"
      accept=".json,application/json,application/json+chapters"
      hint="A chapters file of Podcasting 2.0, in JSON."
    />
  </Form>
);

type PictureFormProps = Omit<TextFormProps, "track" | "state"> & {
  /** Id of the track. */
  track: number;
  chapters: Chapter[];
  state: FormState;
};

const LABELS = { start: "Chapter", file: "Picture" };

const PictureForm = ({ track, chapters, state, ...form }: PictureFormProps) => {
  const field = { form: "picture", state };
  return (
    <>
      <h3>Picture of a chapter</h3>
      <Form
        {...form}
        name="picture"
        hidden={{ part: "picture", track: String(track) }}
        state={state}
        labels={LABELS}
        submit="Set the picture"
        kind="quiet"
        hasFile
      >
        <Field
          {...field}
          name="start"
          label={LABELS.start}
          options={chapters.map((chapter) => [String(chapter.start), nameOf(chapter)])}
        />
        <Field
          {...field}
          name="file"
          label={LABELS.file}
          type="file"
          accept={PICTURE_FILE.accept}
          hint={`${PICTURE_FILE.hint} Without a file, the chapter's picture is removed.`}
          optional
        />
      </Form>
    </>
  );
};
