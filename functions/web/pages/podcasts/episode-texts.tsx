import type { OwnEpisode } from "../../../../db/queries/podcasts.ts";
import { chaptersOf } from "../../../api/podcasts/chapters.ts";
import { MAX_TRANSCRIPT_BYTES } from "../../../api/podcasts/transcript-input.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { clock, number } from "../../../ui/words.ts";

interface TextFormProps {
  track: OwnEpisode;
  action: string;
  token: string;
  /** The submitted form. */
  state: FormState | undefined;
}

/** The transcript of an episode: what is there, and a form for another one. */
export const TranscriptForm = ({ track: { transcript }, action, token, state }: TextFormProps) => {
  const shown = state ?? { values: { language: transcript?.language }, problems: {} };
  const field = { form: "transcript", state: shown };
  return (
    <section class="card" aria-labelledby="transcript-heading">
      <h2 id="transcript-heading">Transcript</h2>
      <p>
        {transcript
          ? `There is one, of ${number(transcript.cues)} ${transcript.cues === 1 ? "part" : "parts"}, up to ${clock(transcript.end_ms)}.`
          : "With a transcript, listeners can read along and search. Podcast programs get it from the feed."}
      </p>
      <Form
        name="transcript"
        action={action}
        token={token}
        hidden={{ part: "transcript" }}
        state={shown}
        labels={{ file: "File", language: "Language" }}
        submit={transcript ? "Replace" : "Upload"}
        kind="quiet"
        hasFile
      >
        <Field
          {...field}
          name="file"
          label="File"
          type="file"
          accept=".vtt,.srt,text/vtt,application/x-subrip"
          hint={`WebVTT or SubRip, ${MAX_TRANSCRIPT_BYTES / 1_000_000} MB at most. Name speakers by <v Ana> in WebVTT, or by “Ana: ” before the words in SubRip.`}
        />
        <Field
          {...field}
          name="language"
          label="Language"
          hint="As a code: en, de, pt-BR. If empty, that of the podcast."
          maxlength={12}
          optional
        />
      </Form>
      {transcript && (
        <Removal name="transcript" action={action} token={token} words="Remove the transcript" />
      )}
    </section>
  );
};

/** The chapters of an episode, and a form for a file of others. */
export const ChaptersForm = ({ track, action, token, state }: TextFormProps) => {
  const { source, chapters } = chaptersOf({
    uploaded: track.chapters,
    description: track.description,
    durationMs: track.duration_ms ?? 0,
  });
  const field = { form: "chapters", state: state ?? { values: {}, problems: {} } };
  return (
    <section class="card" aria-labelledby="chapters-heading">
      <h2 id="chapters-heading">Chapters</h2>
      {chapters.length > 0 ? (
        <>
          <p>{source === "uploaded" ? "From your file:" : "From the description:"}</p>
          <ol>
            {chapters.map(({ start, title }) => (
              <li dir="auto">
                {clock(start)} {title}
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
      <Form
        name="chapters"
        action={action}
        token={token}
        hidden={{ part: "chapters" }}
        state={field.state}
        labels={{ file: "File" }}
        submit={source === "uploaded" ? "Replace" : "Upload"}
        kind="quiet"
        hasFile
      >
        <Field
          {...field}
          name="file"
          label="File"
          type="file"
          accept=".json,application/json,application/json+chapters"
          hint="A chapters file of Podcasting 2.0, in JSON."
        />
      </Form>
      {source === "uploaded" && (
        <Removal name="chapters" action={action} token={token} words="Remove these chapters" />
      )}
    </section>
  );
};

const Removal = ({
  name,
  words,
  ...form
}: {
  name: string;
  words: string;
  action: string;
  token: string;
}) => (
  <Form
    {...form}
    name={`no-${name}`}
    hidden={{ part: name, remove: "yes" }}
    submit={words}
    kind="danger"
    hasFile
  />
);
