/** The parts of Turbo that the site uses. The package brings no types. */
declare module "@hotwired/turbo" {
  export interface Visit {
    readonly action: "advance" | "replace" | "restore";
    readonly location: URL;
    readonly request?: object;
    fail(): void;
  }

  export const config: { drive: { progressBarDelay: number } };
  export const cache: { clear(): void };
  export const session: { history: { start(): void; stop(): void } };
  export const navigator: { readonly currentVisit?: Visit };
  export function visit(address: string, options?: { action: "advance" | "replace" }): void;
}

interface TurboEvents {
  "turbo:before-cache": Event;
  "turbo:before-fetch-response": CustomEvent<{ fetchResponse: { redirected: boolean; location: URL } }>;
  "turbo:before-render": CustomEvent<{
    newBody: HTMLElement;
    render: (body: HTMLElement, next: HTMLElement) => unknown;
  }>;
  "turbo:fetch-request-error": CustomEvent<{ request: object; error: Error }>;
  "turbo:frame-load": Event;
  "turbo:frame-missing": CustomEvent<{ response: Response }>;
  "turbo:load": CustomEvent<{ url: string }>;
  "turbo:render": Event;
  "turbo:submit-end": CustomEvent<{ success?: boolean; error?: Error }>;
  "turbo:submit-start": CustomEvent<{
    formSubmission: { submitter?: HTMLElement; formElement: HTMLFormElement };
  }>;
  "turbo:visit": CustomEvent<{ url: string; action: "advance" | "replace" | "restore" }>;
}

/** Set by Turbo. Scripts that pages of accounts and docs load, too, use it so: they have none. */
interface Window {
  Turbo?: typeof import("@hotwired/turbo");
}

interface DocumentEventMap extends TurboEvents {}
