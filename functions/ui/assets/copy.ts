/** Copies a field's text. Returns what became of it, in words for the button or beside it. */
export async function copyFrom(field: HTMLInputElement | HTMLTextAreaElement): Promise<string> {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return "Copied";
  } catch {
    // Pages without TLS have no clipboard. The text is selected, so the keyboard copies it.
    return "Press Ctrl+C";
  }
}
