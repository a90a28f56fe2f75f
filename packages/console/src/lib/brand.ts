import { PRODUCT, type PageBrand } from '@bidwell/contract/branding/product';

/** The product's own brand, also on pages that the development server serves. */
const PRODUCT_BRAND: PageBrand = {
  name: PRODUCT,
  logo: null,
  palette: null,
  termsUrl: null,
  privacyUrl: null,
};

/** The brand of the installation, which the server writes into the page. */
export const brand: PageBrand = readBrand(
  document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content,
);

function readBrand(text: string | undefined): PageBrand {
  return text?.startsWith('{') ? (JSON.parse(text) as PageBrand) : PRODUCT_BRAND;
}

/** The logo of an installation without one of its own. */
const PRODUCT_LOGO = { url: '/logo.svg', width: 1, height: 1 };

/** The logo and its shape. */
export const brandLogo = brand.logo ?? PRODUCT_LOGO;

/** Whether the logo is so wide that it contains the name. */
export const isLogoWide = brandLogo.width > 2 * brandLogo.height;
