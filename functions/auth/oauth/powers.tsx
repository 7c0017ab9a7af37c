import { BEYOND_SCOPES, limitsOf, SCOPE_NAMES, SCOPES } from "../../lib/http/scopes.ts";

/** In plain words. */
interface PowersProps {
  may: string[];
  mayNot: string[];
}

/** Splits everything that a token can do by its scope. */
export function powersOf(scope: string): PowersProps {
  const limits = limitsOf(scope);
  const isAllowed = (name: (typeof SCOPE_NAMES)[number]) => limits?.includes(name) ?? true;
  const [may, mayNot] = [SCOPE_NAMES.filter(isAllowed), SCOPE_NAMES.filter((name) => !isAllowed(name))];
  const inWords = (names: typeof may, goesBeyond: boolean) => [
    ...names.map((name) => SCOPES[name]),
    ...(goesBeyond ? [BEYOND_SCOPES] : []),
  ];
  return { may: inWords(may, !limits), mayNot: inWords(mayNot, limits !== undefined) };
}

/** One sentence, for lists of apps and tokens. */
export const allowedIn = (scope: string): string =>
  limitsOf(scope) ? `May only ${powersOf(scope).may.join("; ")}.` : "May do everything.";

export const Powers = ({ may, mayNot }: PowersProps) => (
  <>
    <div>
      <h2>It will be able to</h2>
      <ul class="grants">
        {may.map((power) => (
          <li>{power}</li>
        ))}
      </ul>
    </div>
    {mayNot.length > 0 && (
      <details>
        <summary>It will not be able to …</summary>
        <ul class="grants">
          {mayNot.map((power) => (
            <li>{power}</li>
          ))}
        </ul>
      </details>
    )}
  </>
);
