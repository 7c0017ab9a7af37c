import type { Settings } from "../../../db/queries/settings.ts";
import { Form } from "../../ui/form.tsx";
import type { FormPart } from "./settings-forms.tsx";

type BrowserListProps = { settings: Settings; token: FormPart["token"] };

/** Lists where the user is signed in. Each browser but this one has a button that signs it out. */
export const BrowserList = ({ settings: { browsers }, token }: BrowserListProps) => (
  <>
    <ul class="connected">
      {browsers.map(({ id, name, since, last_used_at, is_this }) => (
        <li>
          <div>
            <strong>{name ?? "Unknown browser"}</strong>
            <p class="hint">
              {is_this && "This browser. "}
              Signed in since {minute(since)}
              {last_used_at && `, last used ${minute(last_used_at)}`}
            </p>
          </div>
          {!is_this && (
            <form method="post" action={`/settings/browsers/${id}/end`}>
              <input type="hidden" name="form_token" value={token(`end browser ${id}`)} />
              <button class="button quiet" type="submit">
                Sign out
                <span class="sr-only">
                  {" "}
                  {name ?? "the unknown browser"}, signed in since {minute(since)}
                </span>
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
    {browsers.length > 1 && (
      <Form
        name="end-browsers"
        action="/settings/other-browsers/end"
        token={token("end other browsers")}
        submit="Sign out all other browsers"
        kind="quiet"
      />
    )}
    <p class="hint">If you do not know one, change your password: that also disconnects all apps.</p>
  </>
);

/** `2026-11-23 12:00 UTC` */
const minute = (at: string): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
