import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeOf } from '@bidwell/testing/pacing/candidates';
import type { ParsedNative } from '../model/bid-request.ts';
import { nativeMarkup } from './native.ts';

const requested: ParsedNative = {
  version: '1.2' as const,
  wrapped: false,
  eventTrackers: true,
  blockedAttributes: [],
  assets: [
    { id: 1, required: true, kind: 'title', lengthMax: 40 },
    { id: 2, required: true, kind: 'data', type: 2, lengthMax: 60 },
    { id: 3, required: true, kind: 'data', type: 1, lengthMax: Infinity },
  ],
};

const render = (texts: { title: string; description: string; sponsor: string }, url: string) =>
  JSON.parse(
    nativeMarkup({
      requested,
      creative: nativeOf(1200, 627, texts),
      app: { name: 'Advertised', rating: null, iconLink: null },
      icons: [],
      fileUrl: () => url,
      vastTag: () => null,
      clickUrl: url,
      opening: null,
      impressionUrls: [url],
    }),
  ) as { assets: { title?: { text: string }; data?: { value: string } }[] };

test('the JSON contains any texts and nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const native = render(
        { title: `T${text}`, description: `D${text}`, sponsor: `S${text}` },
        `https://x/${text}`,
      );
      expect(Object.keys(native)).toEqual(['ver', 'assets', 'link', 'eventtrackers']);
      expect(native).toMatchObject({ link: { url: `https://x/${text}` } });
      const [title, description, sponsor] = native.assets;
      expect(Array.from(title!.title!.text).length).toBeLessThanOrEqual(40);
      expect(Array.from(description!.data!.value).length).toBeLessThanOrEqual(60);
      expect(sponsor!.data!.value).toBe(`S${text}`.trim());
    }),
  );
});

test('a deep link is opened by the app that shows the ad, with our address as tracker and fallback', () => {
  const native = JSON.parse(
    nativeMarkup({
      requested,
      creative: nativeOf(1200, 627, { title: 'T', description: 'D', sponsor: 'S' }),
      app: { name: 'Advertised', rating: null, iconLink: null },
      icons: [],
      fileUrl: () => '',
      vastTag: () => null,
      clickUrl: 'https://dsp.example/t/click/x',
      opening: { deepLink: 'myapp://offers/1', fallbackUrl: 'https://dsp.example/t/click/x?to=store' },
      impressionUrls: [],
    }),
  );
  expect(native.link).toEqual({
    url: 'myapp://offers/1',
    clicktrackers: ['https://dsp.example/t/click/x?to=store'],
    fallback: 'https://dsp.example/t/click/x?to=store',
  });
});
