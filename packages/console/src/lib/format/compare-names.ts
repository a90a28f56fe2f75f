let collator: Intl.Collator | undefined;

/**
 * Compares names in the reader's locale, with numbers by their value. The collator is expensive to create, so one is
 * created at the first call and reused.
 */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true });
  return collator.compare(a, b);
}
