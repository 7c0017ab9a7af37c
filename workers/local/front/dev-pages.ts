import { isAskedByOwnName } from "../worker/loopback.ts";
import type { Mount } from "./front.ts";

/** Pages for developers, which show sign-in links and more: only by names of this machine, which nobody else can have. */
export const devPages =
  (pages: Mount[]): Mount =>
  (request, response) =>
    /^\/dev(?:[/?]|$)/.test(request.url ?? "") &&
    isAskedByOwnName(request) &&
    pages.some((page) => page(request, response));
