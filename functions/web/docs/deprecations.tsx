import { type Deprecation, deprecationsAt } from "../../lib/http/deprecations.ts";
import type { Env } from "../../lib/http/env.ts";
import { Prose, Sentence } from "../../ui/prose.tsx";
import { day } from "../../ui/words.ts";

/** Anchor in the changelog, to which `Link` with `rel="sunset"` leads. */
const DEPRECATED = "deprecated";
export const anchorOf = ({ id }: Deprecation): string => `${DEPRECATED}-${id}`;

export const datesOf = ({ since, ends }: Deprecation): string =>
  `Deprecated since ${day(since)}. ${ends === undefined ? "It stays." : `It ends on ${day(ends)}.`}`;

/** The first part of the changelog. */
export const DeprecationList = ({ env }: { env: Env }) => {
  const all = deprecationsAt(env);
  if (all.length === 0) return null;
  return (
    <div class="prose">
      <h2 id={DEPRECATED}>
        <a class="heading" href={`#${DEPRECATED}`}>
          Deprecated
        </a>
      </h2>
      {all.map((one) => (
        <>
          <h3 id={anchorOf(one)}>
            <Sentence text={one.title} />
          </h3>
          <DeprecationText of={one} />
        </>
      ))}
    </div>
  );
};

export const DeprecationText = ({ of }: { of: Deprecation }) => (
  <>
    <p>
      <strong>{datesOf(of)}</strong>
    </p>
    <Prose text={of.text} />
    <p>
      <a href={of.replacement}>What replaces it</a>
    </p>
  </>
);

export function deprecationsAsMarkdown(env: Env): string {
  const all = deprecationsAt(env).map((one) =>
    [`### ${one.title}`, `**${datesOf(one)}**`, one.text, `[What replaces it](${one.replacement})`].join(
      "\n\n",
    ),
  );
  return all.length ? ["## Deprecated", ...all].join("\n\n") : "";
}
