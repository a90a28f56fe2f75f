import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { VastMarkup } from './vast.ts';
import { vastMarkup } from './vast.ts';
import { vastVersion } from '../model/vast-version.ts';

const file = { uuid: 'f', extension: 'mp4', contentType: 'video/mp4', width: 720, height: 1280, bytes: 1 };
const ad: VastMarkup = {
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

/** Names of the elements in an XML document, in order; CDATA counts as text. */
const elementsOf = (xml: string) =>
  [...xml.replaceAll(/<!\[CDATA\[[\s\S]*?\]\]>/g, '').matchAll(/<([A-Za-z]+)/g)].map(([, name]) => name);

test.each(['2.0', '3.0', '4.0', '4.1', '4.2'] as const)(
  'VAST %s has everything a player needs',
  (version) => {
    const xml = vastMarkup({ ...ad, version });
    expect(xml).toContain(`<VAST version="${version}"`);
    // VAST 2.0 has no skip offsets, advertisers or error codes.
    const isTwo = version === '2.0';
    expect(xml).toContain(isTwo ? '<Linear>' : '<Linear skipoffset="00:00:05.000">');
    expect(xml.includes('<Advertiser>')).toBe(!isTwo);
    expect(xml).toContain('<Duration>00:00:15.040</Duration>');
    expect(xml).toContain('<![CDATA[https://dsp.example/m/1.mp4]]></MediaFile>');
    expect(xml.match(/<Impression>/g)).toHaveLength(2);
    for (const event of ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'mute', 'unmute'])
      expect(xml).toContain(`<Tracking event="${event}">`);
    expect(xml.includes('<Tracking event="skip"><![CDATA[https://dsp.example/t/skip/a]]>')).toBe(!isTwo);
    const code = version === '3.0' ? '?code=[ERRORCODE]' : isTwo ? '' : '?code=%5BERRORCODE%5D';
    expect(xml).toContain(`<Error><![CDATA[https://dsp.example/t/error/a${code}]]></Error>`);
    expect(xml).toContain('<ClickThrough><![CDATA[https://dsp.example/t/click/a?x=1&y=2]]>');
    expect(xml).toContain('<Companion width="720" height="1280"');
    expect(xml.includes('<AdServingId>')).toBe(version >= '4.1');
    expect(xml.includes('renderingMode="end-card"')).toBe(version >= '4.1');
    expect(xml.includes('<UniversalAdId')).toBe(version >= '4.0');
  },
);

const verification = {
  vendor: 'measure.example-omid',
  scriptUrl: 'https://measure.example/omid.js?a=1&b=2',
  parameters: '{"key":"<value>"}',
};

test.each([
  ['2.0', '</Creatives><Extensions><Extension type="AdVerifications"><AdVerifications>'],
  ['3.0', '</Creatives><Extensions><Extension type="AdVerifications"><AdVerifications>'],
  ['4.0', '</Error><Extensions><Extension type="AdVerifications"><AdVerifications>'],
  ['4.1', '</AdTitle><AdVerifications>'],
  ['4.2', '</AdTitle><AdVerifications>'],
] as const)('VAST %s has the measurement script where that version defines it', (version, prefix) => {
  const xml = vastMarkup({ ...ad, version, verification });
  expect(xml).toContain(`${prefix}<Verification vendor="measure.example-omid">`);
  expect(xml).toContain(
    '<JavaScriptResource apiFramework="omid" browserOptional="true">https://measure.example/omid.js?a=1&amp;b=2<',
  );
  expect(xml).toContain('<VerificationParameters>{&quot;key&quot;:&quot;&lt;value&gt;&quot;}<');
});

test('a short VAST omits what only refines reports, the shortest one the end card too', () => {
  const brief = vastMarkup({ ...ad, detail: 'brief' });
  expect(brief).not.toMatch(/CDATA|"|mute|'skip'|creativeView|Advertiser|<\?xml/);
  expect(brief).toContain("<Linear skipoffset='00:00:05.000'>");
  expect(brief).toContain('<Companion ');
  expect(brief).toContain('<ClickThrough>https://dsp.example/t/click/a?x=1&amp;y=2</ClickThrough>');
  const shortest = vastMarkup({ ...ad, detail: 'shortest' });
  expect(shortest).not.toContain('Companion');
  expect(shortest.match(/<Tracking /g)).toHaveLength(5);
});

test('without an end card there is no companion, and without skipping no skip offset', () => {
  const xml = vastMarkup({ ...ad, endCard: null, skipAfterSeconds: null });
  expect(xml).not.toMatch(/Companion|skip/);
});

test('texts are escaped in their elements, and addresses parse back unchanged', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(']]>', '<a>', '"><b x="', '&amp;', ']]', '>'),
  );
  fc.assert(
    fc.property(
      fc.array(nasty).map((parts) => parts.join('')),
      (text) => {
        const url = `https://x/${text}`;
        const xml = vastMarkup({
          ...ad,
          title: text,
          advertiser: text,
          creativeId: text,
          clickUrl: url,
          impressionUrls: [url],
          video: { ...ad.video, url },
        });
        expect(elementsOf(xml)).toEqual(elementsOf(vastMarkup({ ...ad, impressionUrls: [url] })));
        const read = /<ClickThrough>([\s\S]*?)<\/ClickThrough>/.exec(xml)![1]!;
        const content = [...read.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g)].map(([, part]) => part).join('');
        const allowed = Array.from(url).filter((one) =>
          /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]$/u.test(one),
        );
        expect(content).toBe(allowed.join(''));
      },
    ),
  );
});

test.each([
  [[], '3.0'],
  [[2], '2.0'],
  [[2, 3], '3.0'],
  [[7, 3], '4.0'],
  [[11, 7], '4.1'],
  [[2, 3, 5, 6, 7, 8, 11, 12, 13, 14], '4.2'],
])('protocols %j are answered in VAST %s', (protocols, version) => {
  expect(vastVersion(protocols)!.version).toBe(version);
});

test('wrappers, VAST 1 and DAAST are not supported', () => {
  expect(vastVersion([1, 4, 5, 6, 8, 9, 10, 12, 14])).toBeNull();
});
