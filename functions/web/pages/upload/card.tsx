import type { Child } from "hono/jsx";
import { PICTURE_FILE } from "../../../api/images/limits.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import { PlayButton } from "../rows/play-button.tsx";
import { CardArtists } from "./card-artists.tsx";
import { Entry, type EntryProps } from "./entry.tsx";

interface ReplacedProps {
  /** The track that the upload will replace, if any. */
  replaced: Pick<Track, "id" | "title"> | undefined;
}

/** Cloned for each file by `upload-card.ts`, which makes the ids unique and fills in the rest. */
export const UploadCard = ({ replaced }: ReplacedProps) => (
  <li class="card upload">
    <Head replaced={replaced} />
    <progress data-part="progress" max="1" value="0" />
    <p class="problem" data-part="problem" hidden />
    <Link />
    <Fields />
  </li>
);

/** The file, its progress and its actions. */
const Head = ({ replaced }: ReplacedProps) => (
  <div class="upload-head">
    <div class="upload-picture">
      <img data-part="picture" alt="" hidden />
      <PlayButton track={NO_TRACK} />
    </div>
    <div class="upload-words">
      <h2 data-part="name" tabindex={-1}>
        File
      </h2>
      <p class="upload-state" data-part="state" />
    </div>
    <div class="upload-acts">
      <a class="act" data-part="page" href="/upload" hidden>
        Open its page
      </a>
      {replaced && (
        <button class="button danger" type="button" data-do="replace" data-track={String(replaced.id)} hidden>
          Replace “{replaced.title}”
        </button>
      )}
      <Act does="pause">Pause</Act>
      <Act does="resume">Resume</Act>
      <Act does="retry">Try again</Act>
      <Act does="remove">Remove</Act>
    </div>
  </div>
);

/** The track's URL once it exists. */
const Link = () => (
  <div class="upload-track" data-part="track" hidden>
    <div class="entry">
      <label for="card-link">Link to share</label>
      <div class="upload-share">
        <input id="card-link" data-part="link" readonly aria-describedby="card-link-hint" />
        <button class="act" type="button" data-do="copy">
          Copy
        </button>
      </div>
      <p class="hint">
        <span id="card-link-hint" data-part="link-hint" /> <span role="status" data-part="copied" />
      </p>
    </div>
  </div>
);

const Fields = () => (
  <form class="upload-form" novalidate>
    <CardEntry name="title" label="Title" isWhole>
      <input id="card-title" name="title" maxlength={255} required aria-describedby="card-title-problem" />
    </CardEntry>
    <CardEntry name="artist" label="Artist" hint="If empty, your name.">
      <input
        id="card-artist"
        name="artist"
        maxlength={255}
        aria-describedby="card-artist-hint card-artist-problem"
      />
    </CardEntry>
    <CardEntry name="genre" label="Genre">
      <input id="card-genre" name="genre" maxlength={100} aria-describedby="card-genre-problem" />
    </CardEntry>
    <CardEntry name="release_year" label="Year">
      <input
        id="card-release_year"
        name="release_year"
        inputmode="numeric"
        maxlength={4}
        aria-describedby="card-release_year-problem"
      />
    </CardEntry>
    <p class="hint whole" data-part="facts" hidden />
    <CardArtists />
    <MoreFields />
    <Sharing />
    <div class="upload-save whole">
      <button class="button" type="submit">
        Save
      </button>
      <p class="hint" role="status" data-part="saved" hidden />
    </div>
  </form>
);

const MoreFields = () => (
  <details class="whole">
    <summary>Tags, description, artwork</summary>
    <div class="upload-form">
      <CardEntry name="tag_list" label="Tags" hint={'Separated by blanks: rock "hip hop" live'} isWhole>
        <input
          id="card-tag_list"
          name="tag_list"
          maxlength={2000}
          aria-describedby="card-tag_list-hint card-tag_list-problem"
        />
      </CardEntry>
      <CardEntry name="description" label="Description" isWhole>
        <textarea
          id="card-description"
          name="description"
          rows={4}
          maxlength={20_000}
          aria-describedby="card-description-problem"
        />
      </CardEntry>
      <CardEntry name="artwork_data" label="Artwork" hint="JPEG, PNG or GIF, up to 10 MB.">
        <input
          id="card-artwork_data"
          type="file"
          accept={PICTURE_FILE.accept}
          aria-describedby="card-artwork_data-hint card-artwork_data-problem"
        />
      </CardEntry>
    </div>
  </details>
);

const Sharing = () => (
  <fieldset class="whole">
    <legend>Who can hear it</legend>
    <label>
      <input type="radio" name="card-sharing" value="private" checked />
      Private: only people with its link
    </label>
    <label>
      <input type="radio" name="card-sharing" value="public" />
      Public when ready: everybody
    </label>
    <CardEntry
      name="publish_at"
      label="Publish at"
      hint="Optional, in your time zone. It is private until then, and public after."
    >
      <input
        id="card-publish_at"
        name="publish_at"
        type="datetime-local"
        aria-describedby="card-publish_at-hint card-publish_at-problem"
      />
    </CardEntry>
  </fieldset>
);

/** Replaced by the script once the track exists. */
const NO_TRACK = {
  id: 0,
  title: "",
  metadata_artist: "",
  artists: [],
  permalink_url: "/upload",
  ...({ access: "playable", state: "processing" } as const),
};

const Act = ({ does, children }: { does: string; children?: Child }) => (
  <button class="act" type="button" data-do={does} hidden>
    {children}
  </button>
);

const CardEntry = (props: Omit<EntryProps, "form">) => <Entry form="card" {...props} />;
