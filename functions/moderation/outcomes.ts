/** Sentences for operators where nothing was done. */
export const REFUSED = {
  user: {
    unknown: "There is no such user",
    active: "The user is not suspended",
    suspended: "The user is suspended already",
    leaving: "The user has left, and the account is being erased",
  },
  track: { unknown: "There is no such track" },
  report: { unknown: "There is no such report" },
  app: {
    unknown: "There is no such app",
    own: "The service's own pages need this app",
    owner_disabled: "The app's owner is suspended or has left",
  },
} as const;
