/** What the product is called without a brand. */
export const PRODUCT = 'Bidwell';

/** What every page of the console has of the brand, in its first bytes. */
export interface PageBrand {
  name: string;
  /** Null for the product's own. */
  logo: { url: string; width: number; height: number } | null;
  /** Ten shades; null for the product's own. */
  palette: readonly string[] | null;
  termsUrl: string | null;
  privacyUrl: string | null;
}
