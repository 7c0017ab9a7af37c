import type { Encoding, Track } from "../tracks/representation.ts";

/** Tells the owner why encoding failed, or what is wrong with a file that plays nevertheless. */
export const OwnersNotice = ({ encoding, state }: { encoding: Encoding; state: Track["state"] }) => {
  const { reason, warnings } = encoding;
  const said = state === "failed" && reason ? [reason] : warnings;
  if (said.length === 0) return null;
  return (
    <div class="notice bad">
      <div>
        <strong>{state === "failed" ? "Why this track failed" : "Something is wrong with this file"}</strong>
        {said.map(({ message }) => (
          <p>{message}</p>
        ))}
        <p>Only you can see this.</p>
      </div>
    </div>
  );
};
