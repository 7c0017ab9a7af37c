/** Reasons why nothing was done, by subject and outcome, shared by pages and commands. */
export const REFUSALS = {
  job: {
    unknown: "There is no such job",
    finished: "The job has finished",
    running: "The job is running",
    failed: "The job has failed already",
    no_original: "The file is no longer kept, so it cannot be encoded",
  },
  letter: {
    unknown: "There is no such letter; it may have been sent or dropped",
    unsendable: "The letter fits no queue, so it cannot be sent",
  },
  mail: {
    unknown: "There is no such mail; it may have been sent or dropped",
    unsendable: "The mail is gone or being sent at this moment, or its link has expired",
  },
  delivery: {
    unknown: "There is no such delivery",
    running: "An attempt is running at this moment",
    disabled: "The webhook is switched off",
    failed: "The delivery has failed already",
    delivered: "The delivery has arrived",
  },
  user: {
    unknown: "There is no such user",
    active: "The user is not suspended",
    suspended: "The user is suspended already",
    leaving: "The user has left, and the account is being erased",
  },
  track: { unknown: "There is no such track" },
  post: {
    unknown: "It is not there; its owner may have deleted it",
    already: "It is removed already",
    no_picture: "It has no picture",
    changed: "The owner has changed the picture since this page was shown",
  },
  removal: {
    unknown: "There is no such case",
    already: "Nothing waits for a decision here",
    replaced: "The owner has chosen another picture, which would be lost",
  },
  report: { unknown: "There is no such report" },
  incident: { unknown: "There is no such incident", closed: "It is over already; it takes another update" },
  invitation: { unknown: "There is no such invitation", ended: "The invitation has been ended already" },
  app: {
    unknown: "There is no such app",
    own: "The service's own pages need this app",
    owner_disabled: "The app's owner is suspended or has left",
  },
} as const;
