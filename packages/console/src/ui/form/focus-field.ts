/** Focuses the field marked with this path (`data-field`); false if there is none. */
export function focusField(path: string): boolean {
  const field = document.querySelector(`[data-field="${CSS.escape(path)}"]`);
  const input = field?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, button');
  input?.focus();
  return Boolean(input);
}
