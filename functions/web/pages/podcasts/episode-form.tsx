import type { OwnEpisode } from "../../../../db/queries/podcasts.ts";
import { shownIn } from "../../../ui/changed-fields.ts";
import { Field, Form, type FormState } from "../../../ui/form.tsx";

const FORM = "episode";

const LABELS = {
  explicit: "Explicit",
  season: "Season",
  number: "Episode",
  episode_type: "Kind",
  transcript_url: "Transcript elsewhere",
};

interface EpisodeFormProps {
  track: OwnEpisode;
  action: string;
  /** The submitted form. */
  state: FormState | undefined;
  token: string;
  isSaved: boolean;
}

export const EpisodeForm = ({ track, action, state, token, isSaved }: EpisodeFormProps) => {
  const field = { form: FORM, state: state ?? { values: valuesOf(track), problems: {} } };
  return (
    <section class="card">
      <p class="eyebrow">Episode</p>
      <h1>{track.title}</h1>
      <a href={action.replace(/\/episode$/, "")}>Back to the track</a>
      {isSaved && (
        <p class="notice" role="status">
          Saved. Podcast programs see it when they next look.
        </p>
      )}
      <p class="hint">Feeds and the track’s page show these fields.</p>
      <Form
        name={FORM}
        action={action}
        token={token}
        state={field.state}
        labels={LABELS}
        hidden={shownIn(field.state)}
        submit="Save"
      >
        <Field {...field} name="season" label={LABELS.season} inputmode="numeric" maxlength={4} optional />
        <Field {...field} name="number" label={LABELS.number} inputmode="numeric" maxlength={4} optional />
        <Field
          {...field}
          name="episode_type"
          label={LABELS.episode_type}
          options={[
            ["", "A whole episode"],
            ["trailer", "Trailer"],
            ["bonus", "Bonus"],
          ]}
          optional
        />
        <Field
          {...field}
          name="explicit"
          label={LABELS.explicit}
          options={[
            ["", "As the podcast"],
            ["no", "No"],
            ["yes", "Yes"],
          ]}
          optional
        />
        <Field
          {...field}
          name="transcript_url"
          label={LABELS.transcript_url}
          type="url"
          hint="The address of a file: VTT, SRT, JSON, text or HTML. A transcript that you upload below is used instead."
          optional
        />
      </Form>
    </section>
  );
};

function valuesOf({ episode }: OwnEpisode): FormState["values"] {
  const { explicit = null, season, number, episode_type, transcript_url } = episode ?? {};
  return {
    explicit: explicit === null ? "" : explicit ? "yes" : "no",
    season: season?.toString(),
    number: number?.toString(),
    episode_type: episode_type === "full" ? "" : episode_type,
    transcript_url,
  };
}
