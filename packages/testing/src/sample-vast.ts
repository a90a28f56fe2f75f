import type { VastMarkup } from '@bidwell/server/delivery/markup/vast';

const file = { uuid: 'f', extension: 'mp4', contentType: 'video/mp4', width: 720, height: 1280, bytes: 1 };
/** A video with an end card and a measurement partner, for tests. */
export const SAMPLE_VAST: VastMarkup = {
  version: '4.2',
  detail: 'full',
  verification: null,
  adServingId: 'serving',
  creativeId: 'creative',
  title: 'Puzzle',
  advertiser: 'play.google.com',
  durationMs: 15_040,
  skipAfterSeconds: 5,
  video: { ...file, url: 'https://dsp.example/m/1.mp4', bitrateKbps: 1200 },
  endCard: { ...file, contentType: 'image/png', url: 'https://dsp.example/m/2.png' },
  clickUrl: 'https://dsp.example/t/click/a?x=1&y=2',
  impressionUrls: ['https://dsp.example/t/impression/a', 'https://view.example/v?a=1&b=2'],
  eventUrl: (event) => `https://dsp.example/t/${event}/a`,
};
