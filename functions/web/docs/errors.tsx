import { ERROR_TYPES, type ErrorExplanation } from "../../lib/errors/error-types.ts";
import { reasonOf, typeOf } from "../../lib/http/errors.ts";
import { Prose } from "../../ui/prose.tsx";
import { guidePath } from "./pages.ts";

const PATH = guidePath({ name: "errors" });

interface NamedError {
  /** Anchor on the page of errors. */
  type: string;
  status: number;
  /** Status, reason, and RFC 6749's code if there is one. */
  heading: string;
  text: string;
}

export const ERRORS: readonly NamedError[] = Object.entries<ErrorExplanation>(ERROR_TYPES).map(
  ([type, { status, code, cause, remedy }]) => ({
    type,
    status,
    heading: `${status} ${reasonOf(status)}${code === undefined ? "" : ` · \`${code}\``}`,
    text: `${cause} ${remedy}`,
  }),
);

/** Errors named by their status alone. */
const BY_STATUS = ERRORS.filter(({ type, status }) => type === typeOf({ type: undefined, status }));

export const errorPath = (type: string): string => `${PATH}#${type}`;

/** Returns the URL that explains a status, if there is one. */
export function explanationOf(status: string): string | undefined {
  const found = BY_STATUS.find((error) => String(error.status) === status);
  return found && errorPath(found.type);
}

export const ErrorList = () => (
  <>
    {ERRORS.map(({ type, heading, text }) => (
      <section class="error" id={type}>
        <h3>
          <a class="heading" href={`#${type}`}>
            {type}
          </a>
        </h3>
        <Prose text={heading} />
        <Prose text={text} />
      </section>
    ))}
  </>
);

export const errorsAsMarkdown = (): string =>
  ERRORS.map(({ type, heading, text }) => `### ${type}\n\n${heading}\n\n${text}`).join("\n\n");

/** Anchors from when all errors were on one page. */
export const FormerAnchors = () => (
  <ul class="former">
    {BY_STATUS.map(({ type, status, text }) => (
      <li id={`error-${status}`}>
        <a href={errorPath(type)}>
          {status} {reasonOf(status)}
        </a>
        <Prose text={text} />
      </li>
    ))}
  </ul>
);
