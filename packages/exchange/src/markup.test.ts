import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMarkup } from './markup.ts';

test('finds the images and the link, with their entities decoded', () => {
  const html =
    '<a target="_blank" href="https://s/t/click/1?a=1&amp;b=2"><img width="1" src="https://s/m/1.png"></a>' +
    '<IMG src=\'https://s/t/impression/x\' alt=\'\'><img src="data:image/gif;base64,AA"><img src="https://v.example/?q=&quot;&#39;&#x41;">';
  expect(readMarkup(html)).toEqual({
    format: 'banner',
    clickUrl: 'https://s/t/click/1?a=1&b=2',
    playedUrls: [],
    shownUrls: ['https://s/m/1.png', 'https://s/t/impression/x', 'https://v.example/?q="\'A'],
  });
});

test('a link that a web view would not open is ignored', () => {
  expect(readMarkup('<a href="javascript:alert(1)">x</a>').clickUrl).toBeNull();
  expect(readMarkup('').clickUrl).toBeNull();
});

test('never throws, for any markup', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      readMarkup(`<img src="${text}"><a href="${text}">`);
    }),
  );
});

const pixel = 'https://dsp.example/t/impression/a';
const click = 'https://dsp.example/t/click/a';

test('a native ad loads its images and trackers of both kinds', () => {
  const native = {
    assets: [
      { id: 1, title: { text: 'x' } },
      { id: 2, img: { url: 'https://dsp.example/m/1.png' } },
    ],
    link: { url: click },
  };
  const content = {
    format: 'native',
    shownUrls: ['https://dsp.example/m/1.png', pixel],
    playedUrls: [],
    clickUrl: click,
  };
  expect(
    readMarkup(JSON.stringify({ ...native, eventtrackers: [{ event: 1, method: 1, url: pixel }] })),
  ).toEqual(content);
  expect(readMarkup(JSON.stringify({ native: { ...native, imptrackers: [pixel] } }))).toEqual(content);
  const link = { url: 'myapp://offers', clicktrackers: [click], fallback: click };
  expect(readMarkup(JSON.stringify({ ...native, link, imptrackers: [pixel] }))).toEqual(content);
});

test('a video loads its file and calls its trackers from start to end', () => {
  const tracked = (event: string) =>
    `<Tracking event="${event}"><![CDATA[https://dsp.example/t/${event}]]></Tracking>`;
  const vast =
    `<VAST version="4.1"><Impression><![CDATA[${pixel}]]></Impression><TrackingEvents>` +
    `${tracked('complete')}${tracked('start')}${tracked('mute')}</TrackingEvents>` +
    `<MediaFile type="video/mp4"><![CDATA[https://dsp.example/m/1.mp4]]></MediaFile>` +
    `<ClickThrough><![CDATA[${click}]]></ClickThrough></VAST>`;
  expect(readMarkup(vast)).toEqual({
    format: 'video',
    shownUrls: ['https://dsp.example/m/1.mp4', pixel],
    playedUrls: ['https://dsp.example/t/start', 'https://dsp.example/t/complete'],
    clickUrl: click,
  });
});

test('a playable loads its page and the files of its script', () => {
  const parameters = JSON.stringify({ p: 'https://dsp.example/m/1.html', c: click, i: [pixel] });
  const page = `<script src="mraid.js"></script><script>(function(a){})(${parameters})</script>`;
  expect(readMarkup(page)).toEqual({
    format: 'playable',
    shownUrls: ['https://dsp.example/m/1.html', pixel],
    playedUrls: [],
    clickUrl: click,
  });
});

test.each(['{', '{"native":7}', '<VAST', 'mraid.js)({"p":1})</script>', ''])('%j has no ad', (markup) => {
  expect(readMarkup(markup)).toMatchObject({ shownUrls: [], playedUrls: [], clickUrl: null });
});
