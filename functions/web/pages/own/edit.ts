import { hash } from "node:crypto";
import type { Context } from "hono";
import { findPage, type SitePage } from "../../../../db/queries/site-pages.ts";
import { withoutCountry } from "../../../api/tracks/secret.ts";
import type { SentFile } from "../../../lib/http/body/multipart-body.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { TaggedText } from "../../../lib/http/etag.ts";
import { isId } from "../../../lib/text/fields.ts";
import { plainLines } from "../../../ui/changed-fields.ts";
import type { FormState } from "../../../ui/form.tsx";
import { type ApiRefusal, asReader, orRefusal, writeApi } from "../../../ui/own-api.ts";
import { accountId, NO_ACCOUNT } from "./account.ts";
import { bodyOf, type FieldGroup, fieldsOf } from "./fields.tsx";

/** The two kinds that have an edit page. */
export interface EditKind {
  word: "track" | "set";
  /** The API's names. */
  wrapper: "track" | "playlist";
  path: "tracks" | "playlists";
  groups: FieldGroup[];
  replaceLink: "replace-track-link" | "replace-playlist-link";
  /** The page for its fields in feeds, below its own. */
  feedSettings: { path: string; label: string };
  /** States what else a deletion removes. */
  deleting: string;
}

export const PICTURE = "artwork_data";

export interface Sent {
  fields: Record<string, string>;
  file: SentFile | undefined;
}

/** Finds the resource of an edit page by its permalinks. Visitors are sent to the sign-in, whether it exists or not. */
export function findOwnPage(
  c: Context<AppEnv>,
  kind: "track" | "playlist",
  permalink: string,
): Promise<SitePage> {
  const { user: owner = "" } = c.req.param();
  const named = { kind, owner, permalink };
  return asReader(c, (viewer) => findPage(c.var.db, viewer, named, withoutCountry(undefined)));
}

/** The `If-Match` value for the form's version. */
export const versionOf = (updatedAt: string): string => new TaggedText("", updatedAt).tag("json");

/**
 * Saves the fields, then the picture, and returns the form to show again, if any. The picture comes second: its request
 * has no fields, because the API's forms cannot change the artist.
 */
export async function save(
  c: Context<AppEnv>,
  kind: EditKind,
  { fields, file }: Sent,
  version = fields.version,
): Promise<ApiRefusal | undefined> {
  if (!isId(fields.id)) return notFound("Page");
  const path = `/${kind.path}/${fields.id}`;
  const { label_id: label } = fields;
  const changes = {
    ...bodyOf(kind.groups, fields),
    ...(label !== undefined && { label_id: await accountId(c, label) }),
    ...(fields.remove_artwork === "on" && { [PICTURE]: null }),
  };
  const body = { [kind.wrapper]: changes };
  const write = async () => {
    await writeApi(c, "PUT", path, body, { ifMatch: version });
    if (file) await writeApi(c, "PUT", path, pictureForm(kind, file));
    return undefined;
  };
  return orRefusal(write(), 412, 413, 422);
}

function pictureForm({ wrapper }: Pick<EditKind, "wrapper">, { bytes, filename, type }: SentFile) {
  const form = new FormData();
  form.set(`${wrapper}[${PICTURE}]`, new File([new Uint8Array(bytes)], filename, { type }));
  return form;
}

/** Hidden fields with the version and values that a form showed. */
interface Basis {
  version: string;
  /** Digest of the values. The end of an encode changes only the version. */
  digest: string;
}

export const basisOf = (values: FormState["values"], updatedAt: string): Basis => ({
  version: versionOf(updatedAt),
  digest: hash("sha256", JSON.stringify(values), "base64url"),
});

/** A form's values and their basis. */
export interface Shown {
  values: FormState["values"];
  basis: Basis;
}

/** A form to show again. */
export interface Refused {
  state: FormState;
  basis: Basis;
}

/** The form after a refusal. `now` is the stored state. */
export function stateAfter(refusal: ApiRefusal, { fields }: Sent, now: Shown, groups: FieldGroup[]): Refused {
  const problems = { ...refusal.problems };
  if (problems.label_id) problems.label_id = NO_ACCOUNT;
  // Only the picture was refused; the fields are saved.
  if (PICTURE in problems) return { state: { values: now.values, problems }, basis: now.basis };
  if (refusal.status === 412)
    return { state: { values: now.values, problems: clashes(fields, now, groups) }, basis: now.basis };
  const { version = "", digest = "" } = fields;
  return { state: { values: fields, problems }, basis: { version, digest } };
}

const CLASH = "It was changed in another window meanwhile. These are the newer values; yours are not saved.";

/** Names each field whose value differs from the stored one. */
function clashes(sent: Record<string, string>, { values }: Shown, groups: FieldGroup[]) {
  const differing = fieldsOf(groups).filter(
    ({ name, kind }) =>
      (kind === "flag" || name in sent) && plainLines(sent[name]) !== plainLines(values[name]),
  );
  const texts = differing.map(({ name, kind, options }) => {
    const yours = sent[name] ?? "";
    const option = options?.find(([value]) => value === yours)?.[1];
    const said = kind === "flag" ? (yours ? "ticked" : "not ticked") : `“${option ?? yours}”`;
    return [name, `differs: you had ${said}`];
  });
  return { "": CLASH, ...Object.fromEntries(texts) } as Record<string, string>;
}
