import { PICTURE_FILE } from "../../api/images/limits.ts";
import { Field, Form } from "../../ui/form.tsx";
import { Initials } from "../../ui/initials.tsx";
import type { FormPart } from "./settings-forms.tsx";

const LABELS = { picture: "New picture" };

/** Shows the picture, replaces it and removes it. Each form works without a script. */
export const PictureForm = ({ settings, token, state, src }: FormPart & { src: string | null }) => (
  <div class="picture">
    {src ? (
      <img src={src} width="120" height="120" alt="You, as others see you" />
    ) : (
      <Initials of={{ id: settings.user.id, username: settings.profile.username }} side={120} />
    )}
    <div>
      <Form
        name="picture"
        action="/settings/picture"
        token={token("picture")}
        state={state}
        labels={LABELS}
        submit="Save picture"
        hasFile
      >
        <Field
          form="picture"
          name="picture"
          label={LABELS.picture}
          state={state}
          type="file"
          {...PICTURE_FILE}
        />
      </Form>
      {settings.avatar_version && (
        <Form
          name="remove-picture"
          action="/settings/picture/remove"
          token={token("remove picture")}
          submit="Remove picture"
          kind="quiet"
        />
      )}
    </div>
  </div>
);
