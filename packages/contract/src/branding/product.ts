/** The name of the product without a brand. */
export const PRODUCT = 'Bidwell';

/** The fields of the brand in the first bytes of every page of the console. */
export interface PageBrand {
  name: string;
  /** Null for the product's own. */
  logo: { url: string; width: number; height: number } | null;
  /** Ten shades; null for the product's own. */
  palette: readonly string[] | null;
  termsUrl: string | null;
  privacyUrl: string | null;
}
