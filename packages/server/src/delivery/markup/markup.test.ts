import { expect, test } from 'vitest';
import { caseFiles } from '@bidwell/testing/case-files';
import { nativeOf } from '@bidwell/testing/pacing/candidates';
import type { ParsedNative } from '../model/bid-request.ts';
import type { NativeCreative } from '../model/candidate.ts';
import { type BannerMarkup, bannerMarkup } from './render.ts';
import { nativeMarkup } from './native.ts';
import { type VastMarkup, vastMarkup } from './vast.ts';
import { SAMPLE_VAST } from '@bidwell/testing/sample-vast';
import fc from 'fast-check';

/** One file of ./cases: the input, and the expected markup, or the texts that it must and must not contain. */
interface Case {
  banner?: BannerMarkup;
  /** The parts of `SAMPLE_VAST` that are different. */
  vast?: Partial<VastMarkup>;
  native?: Partial<ParsedNative> &
    Pick<ParsedNative, 'assets'> & { texts: Partial<NativeCreative>; url: string };
  /** The whole text; for a native ad its JSON. */
  is?: unknown;
  says?: string[];
  silentOn?: string[];
  /** How often parts occur. */
  times?: Record<string, number>;
}

function markupOf({ banner, vast, native }: Case): string {
  if (banner) return bannerMarkup(banner);
  if (vast) return vastMarkup({ ...SAMPLE_VAST, ...vast });
  const { texts, url, ...requested } = native!;
  return nativeMarkup({
    requested: { version: '1.2', wrapped: false, eventTrackers: true, blockedAttributes: [], ...requested },
    creative: nativeOf(1200, 627, texts),
    app: { name: 'Advertised', rating: null, iconLink: null },
    icons: [],
    fileUrl: () => url,
    vastTag: () => null,
    clickUrl: url,
    opening: null,
    impressionUrls: [url],
  });
}

test.each(caseFiles<Case>(import.meta.url))('%s', (_name, one) => {
  const { is, says = [], silentOn = [], times = {} } = one;
  const markup = markupOf(one);
  if (is !== undefined) expect(one.native ? (JSON.parse(markup) as unknown) : markup).toEqual(is);
  for (const part of says) expect(markup).toContain(part);
  for (const part of silentOn) expect(markup).not.toContain(part);
  for (const [part, count] of Object.entries(times)) expect(markup.split(part)).toHaveLength(count + 1);
});

const banner = {
  imageUrl: 'https://dsp.example/m/1.png',
  clickUrl: 'https://dsp.example/t/click/abc',
  pixelUrls: ['https://dsp.example/t/impression/abc', 'https://view.example/v?a=1&b=2'],
  width: 320,
  height: 50,
};

test('addresses are escaped in their attributes, and parse back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (nasty) => {
      const clean = bannerMarkup(banner);
      const url = `https://x/${nasty}`;
      const markup = bannerMarkup({ ...banner, imageUrl: url, clickUrl: url, pixelUrls: [url, url] });
      for (const character of ['<', '>', '"'])
        expect(markup.split(character)).toHaveLength(clean.split(character).length);
      expect([...markup.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, text]) => unescape(text!))).toEqual(
        Array.from({ length: 4 }, () => url),
      );
    }),
  );
});

function unescape(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
