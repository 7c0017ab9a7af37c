import type { Child } from "hono/jsx";
import { PICTURE_FILE } from "../../../api/images/limits.ts";
import { Icon } from "../../../ui/icons.tsx";
import { LICENSE } from "../own/track-fields.ts";
import { Entry, type EntryProps } from "./entry.tsx";

/** Publishes the page's files together. `upload-release-form.ts` shows it once there are several, and fills it in. */
export const ReleaseDesk = () => (
  <>
    <fieldset class="release-offer" data-release="offer" hidden>
      <legend>Publish these files together as a release:</legend>
      <Offer type="ep">EP</Offer>
      <Offer type="album">Album</Offer>
      <Offer type="single">Single</Offer>
    </fieldset>
    <section class="card release" data-release="desk" aria-labelledby="release-head" hidden>
      <h2 id="release-head" data-release="head" tabindex={-1}>
        Release
      </h2>
      <div class="problems" role="alert" tabindex={-1} data-release="problem" hidden />
      <form class="upload-form" data-release="form" novalidate>
        <Fields />
        <fieldset class="whole">
          <legend>Tracks, in their order</legend>
          <ol class="release-tracks" data-release="tracks" />
        </fieldset>
        <div class="upload-save whole">
          <button class="button" type="submit">
            Publish
          </button>
          <button class="act" type="button" data-release="cancel">
            Publish one by one instead
          </button>
        </div>
      </form>
      <p role="status" data-release="status" />
      <template data-release="row">
        <ReleaseTrack />
      </template>
    </section>
  </>
);

const Offer = ({ type, children }: { type: string; children?: Child }) => (
  <button class="button quiet" type="button" data-offer={type}>
    {children}
  </button>
);

const Fields = () => (
  <>
    <ReleaseEntry name="title" label="Title of the release" isWhole>
      <input {...fieldOf("title")} maxlength={255} required />
    </ReleaseEntry>
    <ReleaseEntry name="type" label="Kind">
      <select {...fieldOf("type")}>
        <option value="ep">EP</option>
        <option value="album">Album</option>
        <option value="single">Single</option>
      </select>
    </ReleaseEntry>
    <ReleaseEntry name="artist" label="Artist of all tracks" hint="If empty, each keeps its own.">
      <input {...fieldOf("artist", true)} maxlength={255} />
    </ReleaseEntry>
    <ReleaseEntry name="genre" label="Genre">
      <input {...fieldOf("genre")} maxlength={100} />
    </ReleaseEntry>
    <ReleaseEntry name="label_name" label="Record label">
      <input {...fieldOf("label_name")} maxlength={255} />
    </ReleaseEntry>
    <ReleaseEntry name="release_date" label="Date of the release" hint="Such as 2026-11-20, 2026-11 or 2026.">
      <input {...fieldOf("release_date", true)} maxlength={10} />
    </ReleaseEntry>
    <ReleaseEntry name="license" label="Licence">
      <select {...fieldOf("license")}>
        {LICENSE.options?.map(([value, words]) => (
          <option value={value}>{words}</option>
        ))}
      </select>
    </ReleaseEntry>
    <ReleaseEntry name="publish_at" label="Publish at" hint="In your own time. If empty, at once.">
      <input {...fieldOf("publish_at", true)} type="datetime-local" />
    </ReleaseEntry>
    <ReleaseEntry name="artwork_data" label="Cover" hint="JPEG, PNG or GIF, up to 10 MB.">
      <div class="release-cover">
        <img data-release="picture" alt="" hidden />
        <input
          id="release-artwork_data"
          type="file"
          accept={PICTURE_FILE.accept}
          {...described("artwork_data", true)}
        />
      </div>
    </ReleaseEntry>
  </>
);

const described = (name: string, hasHint = false) => ({
  "aria-describedby": `${hasHint ? `release-${name}-hint ` : ""}release-${name}-problem`,
});

const fieldOf = (name: string, hasHint = false) => ({
  id: `release-${name}`,
  name,
  ...described(name, hasHint),
});

const ReleaseEntry = (props: Omit<EntryProps, "form">) => <Entry form="release" {...props} />;

/** Cloned for each track. The script names its controls. */
const ReleaseTrack = () => (
  <li>
    <input data-release="name" maxlength={255} />
    <p class="upload-state" data-release="state" />
    <div class="release-moves">
      <Move does="up">
        <Icon name="up" />
      </Move>
      <Move does="down">
        <Icon name="down" />
      </Move>
      <Move does="leave">
        <Icon name="close" />
      </Move>
    </div>
  </li>
);

const Move = ({ does, children }: { does: string; children?: Child }) => (
  <button class="act" type="button" data-move={does}>
    {children}
  </button>
);
