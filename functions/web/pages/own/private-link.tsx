import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { CopyField } from "../../../ui/copy-field.tsx";
import { ActButton } from "../acts/act-button.tsx";

interface PrivateLinkProps {
  env: Env;
  reader: Reader;
  owned: {
    id: number;
    permalink_url: string;
    sharing: "public" | "private";
    secret_token?: string | undefined;
  };
  act: "replace-track-link" | "replace-playlist-link";
}

/** The private link, and the form that replaces it. */
export const PrivateLink = ({ env, reader, owned, act }: PrivateLinkProps) =>
  owned.sharing === "private" && owned.secret_token !== undefined ? (
    <section class="own-section">
      <h2 id="private-link">Private link</h2>
      <p>Whoever has this link can listen, without an account.</p>
      <CopyField
        env={env}
        class="copyable"
        aria-labelledby="private-link"
        value={`${owned.permalink_url}/${owned.secret_token}`}
      />
      <p class="hint">A new link ends the present one at once, in players and embedded pages too.</p>
      <div>
        <ActButton env={env} reader={reader} act={act} id={owned.id}>
          Make a new link
        </ActButton>
      </div>
    </section>
  ) : null;
