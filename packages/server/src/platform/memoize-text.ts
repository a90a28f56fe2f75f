/** Bounds of a memo: the texts come from outside. */
interface Limits {
  entriesMax: number;
  /** Longer texts are computed each time. */
  charsMax: number;
}

/** Memoises a function of texts with few distinct values, such as names and codes. Cleared when it is full. */
export function memoizeText<Result extends {}>(
  compute: (text: string) => Result,
  { entriesMax, charsMax }: Limits = { entriesMax: 5000, charsMax: 200 },
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    let result = known.get(text);
    if (result !== undefined) return result;
    result = compute(text);
    if (text.length > charsMax) return result;
    if (known.size >= entriesMax) known.clear();
    known.set(text, result);
    return result;
  };
}
