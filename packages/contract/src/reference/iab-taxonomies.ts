import { content2Of } from './iab-content-2.ts';

/** The content taxonomy 1.0, in which apps are categorized (AdCOM 1.0, "Category Taxonomies"). */
export const CONTENT_1_0 = 1;
/** The content taxonomies 2.0, 2.1, 2.2, 3.0 and 3.1, which use the same ids for shared categories. */
const CONTENT_2_ON: ReadonlySet<number> = new Set([2, 5, 6, 7, 9]);

/**
 * The key of a category for comparison with {@link categoryKeysOf}: `IAB9-30`, `2:680`. Null if the taxonomy does not
 * describe content.
 */
export function categoryKeyOf(category: string, taxonomy: number): string | null {
  if (taxonomy === CONTENT_1_0) return category.toUpperCase();
  return CONTENT_2_ON.has(taxonomy) ? `2:${category}` : null;
}

/** Keys of a taxonomy 1.0 category and its ancestors, in that taxonomy and the newer ones. */
export function categoryKeysOf(category: string): string[] {
  const code = category.toUpperCase();
  return [...new Set([code, code.split('-')[0]!])].concat(content2Of(code).map((id) => `2:${id}`));
}

/** Translates a taxonomy 1.0 category to another taxonomy; returns it unchanged if that has no equivalent. */
export function categoryIn(taxonomy: number, category: string): { code: string; taxonomy: number } {
  const [id] = CONTENT_2_ON.has(taxonomy) ? content2Of(category.toUpperCase()) : [];
  return id === undefined ? { code: category, taxonomy: CONTENT_1_0 } : { code: String(id), taxonomy };
}
