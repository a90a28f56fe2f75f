import { content2Of } from './iab-content-2.ts';

/** AdCOM 1.0, "Category Taxonomies": the content taxonomy 1.0, in which apps are categorised here. */
export const CONTENT_1_0 = 1;
/** The content taxonomies 2.0, 2.1, 2.2, 3.0 and 3.1, which number what they share alike. */
const CONTENT_2_ON: ReadonlySet<number> = new Set([2, 5, 6, 7, 9]);

/**
 * How a category of a taxonomy is compared with the keys of {@link categoryKeysOf}: `IAB9-30`, `2:680`. Null for a taxonomy that
 * does not describe content.
 */
export function categoryKeyOf(category: string, taxonomy: number): string | null {
  if (taxonomy === CONTENT_1_0) return category.toUpperCase();
  return CONTENT_2_ON.has(taxonomy) ? `2:${category}` : null;
}

/** A category of the taxonomy 1.0 and all above it, there and in the newer taxonomies. */
export function categoryKeysOf(category: string): string[] {
  const code = category.toUpperCase();
  return [...new Set([code, code.split('-')[0]!])].concat(content2Of(code).map((id) => `2:${id}`));
}

/** A category of the taxonomy 1.0 as a taxonomy has it; as it is, in 1.0, where that has none like it. */
export function categoryIn(taxonomy: number, category: string): { code: string; taxonomy: number } {
  const [id] = CONTENT_2_ON.has(taxonomy) ? content2Of(category.toUpperCase()) : [];
  return id === undefined ? { code: category, taxonomy: CONTENT_1_0 } : { code: String(id), taxonomy };
}
