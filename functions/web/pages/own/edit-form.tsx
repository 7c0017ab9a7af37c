import { MAX_IMAGE_BYTES, PICTURE_FILE } from "../../../api/images/limits.ts";
import { sizeInWords } from "../../../lib/text/size.ts";
import { Field, Form, type FormState, Tick } from "../../../ui/form.tsx";
import { inFormat } from "../../embed/representation.ts";
import { PICTURE } from "./edit.ts";
import { type FieldGroup, Groups, labelsOf } from "./fields.tsx";

interface EditFormProps {
  action: string;
  token: string;
  state: FormState;
  groups: FieldGroup[];
  hidden: Record<string, string>;
  artwork: string | null;
}

const NAME = "edit";

/** The form of a track or a set, picture included. */
export const EditForm = ({ action, token, state, groups, hidden, artwork }: EditFormProps) => (
  <Form
    name={NAME}
    action={action}
    token={token}
    state={state}
    hidden={hidden}
    labels={{ ...labelsOf(groups), [PICTURE]: "Artwork" }}
    submit="Save"
    hasFile
  >
    <div class="edit-columns">
      <Artwork artwork={artwork} state={state} />
      <div class="edit-groups">
        <Groups form={NAME} state={state} groups={groups} />
      </div>
    </div>
  </Form>
);

/** The script previews the chosen picture, unless it is too large to be sent. */
const Artwork = ({ artwork, state }: { artwork: string | null; state: FormState }) => (
  <picture-choice
    class="artwork-choice"
    data-max-bytes={MAX_IMAGE_BYTES}
    data-too-large={`Artwork may have ${sizeInWords(MAX_IMAGE_BYTES)} at most.`}
  >
    {artwork ? (
      <img src={inFormat(artwork, "t300x300")} width="160" height="160" alt="The present artwork" />
    ) : (
      <div class="no-artwork">No artwork</div>
    )}
    <div>
      <Field
        form={NAME}
        name={PICTURE}
        label="Artwork"
        state={state}
        type="file"
        {...PICTURE_FILE}
        optional="unsaid"
      />
      {artwork && <Tick form={NAME} name="remove_artwork" label="Remove the artwork" state={state} />}
    </div>
  </picture-choice>
);
