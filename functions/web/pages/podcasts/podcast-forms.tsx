import type { OwnPodcast } from "../../../../db/queries/podcasts.ts";
import { CATEGORIES } from "../../../api/podcasts/categories.ts";
import { MAX_LANGUAGE } from "../../../api/podcasts/fields.ts";
import type { Env } from "../../../lib/http/env.ts";
import { shownIn } from "../../../ui/changed-fields.ts";
import { CopyField } from "../../../ui/copy-field.tsx";
import { Field, Form, type FormState } from "../../../ui/form.tsx";

const FORM = "podcast";

const LABELS = {
  author: "Author",
  owner_name: "Owner's name",
  owner_email: "Owner's e-mail address",
  category: "Category",
  language: "Language",
  explicit: "Explicit",
  podcast_type: "Order",
  locked: "Locked",
  new_feed_url: "New address of the feed",
  guid: "GUID from another host",
};

const NO_OR_YES: [string, string][] = [
  ["no", "No"],
  ["yes", "Yes"],
];

interface PodcastFormsProps {
  env: Env;
  set: OwnPodcast;
  action: string;
  /** The feed's address. */
  feed: string;
  /** The submitted form. */
  state: FormState | undefined;
  token: string;
  isSaved: boolean;
}

export const PodcastForms = ({ env, set, action, feed, state, token, isSaved }: PodcastFormsProps) => (
  <div class="settings">
    <section class="card">
      <p class="eyebrow">Podcast</p>
      <h1>{set.title}</h1>
      <a href={action.replace(/\/podcast$/, "")}>Back to the {set.podcast ? "podcast" : "set"}</a>
      {isSaved && (
        <p class="notice" role="status">
          Saved. Podcast programs see it when they next look.
        </p>
      )}
      <div class="entry">
        <label for="feed-address">Address of the feed</label>
        <p class="hint" id="feed-address-hint">
          {set.private
            ? "Whoever has this address can hear it: give it only to your listeners."
            : "Paste it into a podcast program, or send it to a directory."}
        </p>
        <CopyField env={env} id="feed-address" value={feed} aria-describedby="feed-address-hint" />
      </div>
      {!set.has_artwork && (
        <p class="hint">Directories ask for artwork. There is none yet, so the feed shows your avatar.</p>
      )}
    </section>
    <section class="card" aria-labelledby="podcast-fields">
      <h2 id="podcast-fields">What directories ask for</h2>
      <PodcastForm
        set={set}
        action={action}
        token={token}
        state={state ?? { values: valuesOf(set), problems: {} }}
      />
    </section>
    {set.podcast && (
      <section class="card" aria-labelledby="podcast-stop">
        <h2 id="podcast-stop">No podcast any more</h2>
        <p>The set and its feed stay. What you entered here is removed from it.</p>
        <Form
          name="stop"
          action={action}
          token={token}
          hidden={{ stop: "yes" }}
          submit="Remove these fields"
          kind="danger"
        />
      </section>
    )}
  </div>
);

const PodcastForm = ({
  set,
  action,
  token,
  state,
}: Pick<PodcastFormsProps, "set" | "action" | "token"> & { state: FormState }) => {
  const field = { form: FORM, state };
  return (
    <Form
      name={FORM}
      action={action}
      token={token}
      state={state}
      labels={LABELS}
      hidden={shownIn(state)}
      submit="Save"
    >
      <Field
        {...field}
        name="author"
        label={LABELS.author}
        hint={`Shown below the title. If empty, ${set.username}.`}
        maxlength={100}
        optional
      />
      <Field {...field} name="owner_name" label={LABELS.owner_name} maxlength={100} optional />
      <Field
        {...field}
        name="owner_email"
        label={LABELS.owner_email}
        type="email"
        hint="Directories send a code there to make sure that the podcast is yours. Everybody can read it in the feed."
        optional
      />
      <Field
        {...field}
        name="category"
        label={LABELS.category}
        options={CATEGORIES.map((name) => [name, name.replace(">", "›")])}
      />
      <Field
        {...field}
        name="language"
        label={LABELS.language}
        hint="As a code: en, de, pt-BR."
        maxlength={MAX_LANGUAGE}
      />
      <Field
        {...field}
        name="explicit"
        label={LABELS.explicit}
        hint="Strong language or adult content, in any episode."
        options={NO_OR_YES}
      />
      <Field
        {...field}
        name="podcast_type"
        label={LABELS.podcast_type}
        options={[
          ["episodic", "Newest first: each stands alone"],
          ["serial", "Oldest first: they tell a story"],
        ]}
      />
      <Field
        {...field}
        name="locked"
        label={LABELS.locked}
        hint="Asks other hosts not to copy the podcast. The feed says so only with your e-mail address, where they can ask you. Say no before you move."
        options={NO_OR_YES}
      />
      <Field
        {...field}
        name="new_feed_url"
        label={LABELS.new_feed_url}
        type="url"
        hint="After a move to another host. Podcast programs and directories are led there while the podcast exists here: keep it for two months, because some look rarely. Empty the field to have the feed here again."
        optional
      />
      <Field
        {...field}
        name="guid"
        label={LABELS.guid}
        hint="Of a podcast that moves here: its former feed has it as podcast:guid. Directories then know that it is the same. Once written it stays."
        maxlength={36}
        optional
      />
    </Form>
  );
};

const valuesOf = ({ podcast }: OwnPodcast): FormState["values"] =>
  podcast
    ? { ...podcast, explicit: yesOrNo(podcast.explicit), locked: yesOrNo(podcast.locked) }
    : { category: "Music", language: "en", explicit: "no", podcast_type: "episodic", locked: "yes" };

const yesOrNo = (flag: boolean): string => (flag ? "yes" : "no");
