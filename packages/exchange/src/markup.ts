/** What a web view would load from a banner's HTML, and where its link leads. */
export interface BannerContent {
  /** Every image of the markup, pixels included, in order; complete addresses only. */
  imageUrls: string[];
  /** The first link; null when there is none. */
  clickUrl: string | null;
}

const MARKUP_CHARS_MAX = 200_000;
const IMAGES_MAX = 50;

/** Reads images and link out of banner markup. Reads at most 200,000 characters and 50 images; never throws. */
export function readBannerMarkup(html: string): BannerContent {
  const text = html.slice(0, MARKUP_CHARS_MAX);
  const imageUrls = [...text.matchAll(/<img\b[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)]
    .map(([, double, single]) => decodeHtml(double ?? single ?? ''))
    .filter(isWebUrl)
    .slice(0, IMAGES_MAX);
  const link = /<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(text);
  const href = decodeHtml(link?.[1] ?? link?.[2] ?? '');
  return { imageUrls, clickUrl: isWebUrl(href) ? href : null };
}

function isWebUrl(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[String(name).toLowerCase()] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });
}
