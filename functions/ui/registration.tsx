import type { Env } from "../lib/http/env.ts";
import { registrationOf } from "../lib/http/registration.ts";
import { siteName } from "./name.ts";

/** Whether a visitor may sign up without asking anybody. */
export const offersSignUp = (env: Env): boolean =>
  registrationOf(env) === "open" || registrationOf(env) === "confirm";

/** Says who may sign up, and where to ask. */
export const WhoMaySignUp = ({ env }: { env: Env }) => {
  switch (registrationOf(env)) {
    case "open":
      return <>Everybody may sign up.</>;
    case "confirm":
      return <>Everybody may sign up, with an e-mail address that they confirm.</>;
    case "invite":
      return (
        <>
          {siteName(env)} is by invitation. Ask <Operators env={env} /> for one.
        </>
      );
    case "closed":
      return (
        <>
          Sign-up is closed. Ask <Operators env={env} /> for an account.
        </>
      );
  }
};

/** A link, if the operator has named a mailbox or a page. */
export const Operators = ({ env, words = "the people who run it" }: { env: Env; words?: string }) => {
  const contact = env.REGISTRATION_CONTACT?.trim() ?? "";
  if (contact === "") return <>{words}</>;
  const href = /^https?:\/\//.test(contact) ? contact : `mailto:${contact}`;
  return <a href={href}>{words}</a>;
};

export const UNTIL_CONFIRMED =
  "Until you open the link, you can listen and look around, but not upload, write, follow or change your profile.";
