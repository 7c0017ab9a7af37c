import { FINAL_FAULTS } from "../../../api/tracks/failures.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import { MAX_UPLOAD_BYTES } from "../../../api/uploads/limits.ts";
import type { Upload } from "../../../api/uploads/representation.ts";
import { Routes } from "../../../lib/http/route.ts";
import { Icon } from "../../../ui/icons.tsx";
import { readApi, SignInNeeded } from "../../../ui/own-api.ts";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { siteViewer } from "../../../ui/viewer.ts";
import { KEPT } from "../own/supersede.tsx";
import { UploadCard } from "./card.tsx";
import { ReleaseDesk } from "./release.tsx";

/** {web_url}/upload */
export const uploadPage = new Routes({ renderError: showSiteError });

/** Stored by the page's script to recognize files that are chosen again. */
const begun = ({ id, status, filename, size, last_modified, track_id }: Upload) => ({
  id,
  status,
  filename,
  size,
  last_modified,
  track_id,
});

/** Still uploading, or already a track. */
const isKnown = ({ status, track_id }: Upload) =>
  status === "open" || status === "completing" || status === "ready" || track_id !== null;

uploadPage.page("/upload", async (c) => {
  if (!siteViewer(c)) throw new SignInNeeded();
  const uploads = await readApi<Upload[]>(c, "/uploads?limit=50");
  const { replaces } = c.req.query();
  const replaced = replaces === undefined ? undefined : await readApi<Track>(c, `/me/tracks/${replaces}`);
  return showSite(
    c,
    {
      title: "Upload",
      description: "Upload tracks: many files at once, named from their tags.",
      scripts: ["upload.client.js"],
      // A cached copy would show outdated progress.
      styles: ["upload.css"],
      head: <meta name="turbo-cache-control" content="no-cache" />,
    },
    <section class="upload-desk">
      <h1>Upload</h1>
      {replaced && <Replacing replaced={replaced} />}
      <WithoutScript apiUrl={c.env.API_URL} />
      <upload-desk
        class="upload-desk"
        data-api={c.env.API_URL}
        data-final-faults={FINAL_FAULTS.join(" ")}
        data-max-bytes={String(MAX_UPLOAD_BYTES)}
        // The first that was begun comes first, as before a reload.
        data-begun={JSON.stringify(uploads.filter(isKnown).map(begun).toReversed())}
      >
        <Drop />
        <div role="alert">
          <div class="problems" data-desk="refused" hidden>
            <h2>Not uploaded</h2>
            <ul data-desk="refusals" />
          </div>
        </div>
        <div class="upload-all">
          <p data-desk="total" />
          <button class="act" type="button" data-all="pause" hidden>
            Pause all
          </button>
          <button class="act" type="button" data-all="resume" hidden>
            Resume all
          </button>
          <button class="act" type="button" data-all="clear" hidden>
            Clear finished
          </button>
        </div>
        <ReleaseDesk />
        <ul class="uploads" data-desk="list" aria-label="Your files" />
        <p class="sr-only" role="status" data-desk="news" />
        <template data-desk="template">
          <UploadCard replaced={replaced} />
        </template>
      </upload-desk>
    </section>,
  );
});

/** Names the track that the upload will replace. */
const Replacing = ({ replaced: { id, title } }: { replaced: Track }) => (
  <div class="card">
    <p>
      This upload will replace “{title}”. Keep it private: once it is ready, a button here puts it in its
      place. Is it uploaded already? <a href={`/you/replace?track=${id}`}>Choose it</a>.
    </p>
    <p class="hint">{KEPT}</p>
  </div>
);

const WithoutScript = ({ apiUrl }: { apiUrl: string }) => (
  <noscript>
    <p class="card">
      Uploading needs JavaScript, because files go to storage in parts that can be paused and resumed. Allow
      it for this site and reload the page, or upload by a program that uses the{" "}
      <a href={`${apiUrl}/docs`}>API</a>.
    </p>
  </noscript>
);

/** The area for dropping or choosing files. */
const Drop = () => (
  <div class="upload-drop" data-desk="drop">
    <Icon name="upload" />
    <p class="lead" id="upload-lead">
      <span class="by-pointer">Drop your audio files here</span>
      <span class="by-touch">Choose the audio files to upload</span>
    </p>
    <input
      class="sr-only"
      type="file"
      id="upload-files"
      data-desk="files"
      multiple
      accept="audio/*,.aif,.aiff,.aifc,.wav,.flac,.ogg,.oga,.opus,.mp2,.mp3,.m4a,.m4b,.mp4,.mov,.aac,.amr,.awb,.3gp,.3gpp,.3ga,.3g2,.wma,.asf,.bwf,.rf64,.w64"
      aria-describedby="upload-hint"
    />
    <label class="button" for="upload-files">
      Choose files
    </label>
    <p class="hint" id="upload-hint">
      AIFF, WAVE, FLAC, ALAC, OGG, MP2, MP3, AAC, AMR or WMA, up to 4 GB each. Tracks stay private until you
      make them public. Is your podcast elsewhere? <a href="/you/podcasts/move">Move it here by its feed</a>.
    </p>
  </div>
);
