/** The first `max` UTF-16 code units of a text, or one fewer so as not to split a surrogate pair. */
export function truncate(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** The last `max` UTF-16 code units of a text, or one fewer so as not to split a surrogate pair. */
export function ending(text: string, max: number): string {
  return text.slice(-max).replace(/^[\uDC00-\uDFFF]/, '');
}
