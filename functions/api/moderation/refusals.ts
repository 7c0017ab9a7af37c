/** Reasons why nothing was done, by subject and outcome, shared by pages and commands. */
export const REFUSALS = {
  job: {
    unknown: "There is no such job",
    finished: "The job has finished",
    running: "The job is running",
    failed: "The job has failed already",
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
  report: { unknown: "There is no such report" },
  app: {
    unknown: "There is no such app",
    own: "The service's own pages need this app",
    owner_disabled: "The app's owner is suspended or has left",
  },
} as const;
