/** Lets lock screens, headsets and media keys act. Browsers refuse the actions that they do not know. */
export function offerActions(
  session: MediaSession,
  actions: Map<MediaSessionAction, MediaSessionActionHandler | null>,
): void {
  for (const [name, action] of actions)
    try {
      session.setActionHandler(name, action);
    } catch {}
}
