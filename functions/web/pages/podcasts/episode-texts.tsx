import type { OwnEpisode } from "../../../../db/queries/podcasts.ts";
import { MAX_TRANSCRIPT_BYTES } from "../../../api/podcasts/transcript-input.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";
import { clock, number } from "../../../ui/words.ts";

export interface TextFormProps {
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

interface RemovalProps {
  name: string;
  words: string;
  action: string;
  token: string;
}

export const Removal = ({ name, words, ...form }: RemovalProps) => (
  <Form
    {...form}
    name={`no-${name}`}
    hidden={{ part: name, remove: "yes" }}
    submit={words}
    kind="danger"
    hasFile
  />
);
