/** Told by the window of a sign-in to the page that opened it. Only pages of this origin hear it. */
export interface SignedIn {
  /** Whether they have just signed up. */
  isNew: boolean;
}

/** The channel's name. */
export const SIGNED_IN = "signed-in";

/** The press of a visitor, in the tab's storage. */
export const KEPT_PRESS = "visitor-act";
