/** Copies a field's text. Returns what became of it, in words for the button or beside it. */
export function copyFrom(field: HTMLInputElement | HTMLTextAreaElement): Promise<string> {
  field.select();
  return copy(field.value);
}

/** Copies text that is selected. */
export async function copy(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied";
  } catch {
    // Pages without TLS have no clipboard. The text is selected, so the keyboard copies it.
    return "Press Ctrl+C";
  }
}
