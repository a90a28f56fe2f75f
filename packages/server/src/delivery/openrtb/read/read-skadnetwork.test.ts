import { expect, test } from 'vitest';
import { caseFiles } from '@bidwell/testing/case-files';
import { type Signable, signableOf } from '../../skadnetwork/signable.ts';
import { requestProblems } from '../test-request.ts';
import { readBidRequest } from './read-request.ts';

/** The `ext` of an imp, and how a bid is signed for network 42 of the IAB's list, or why it is not. */
interface Case {
  ext: object;
  /** The device's iOS; 17.5 by default. */
  osv?: string;
  bundle?: string;
  expect: Signable | string;
}

const networks = [{ id: 'abcd1234.skadnetwork', privateKey: '', iabNumber: 42 }];

function requestOf({ ext, osv = '17.5', bundle = 'com.publisher' }: Omit<Case, 'expect'>): object {
  return {
    id: '1',
    imp: [{ id: '1', banner: { w: 320, h: 50 }, ext }],
    app: { bundle },
    device: { os: 'iOS', osv, geo: { country: 'USA' } },
  };
}

test.each(caseFiles<Case>(import.meta.url))('%s', (_name, { expect: expected, ...input }) => {
  const { imps, device } = readBidRequest(requestOf(input), 'sample')!;
  expect(signableOf(imps[0]!, device.osVersion, networks)).toEqual(expected);
});

test('lists that are too long are cut off, and texts that are too long are no ids', () => {
  const others = Array.from({ length: 10_000 }, (_, index) => `n${index}.skadnetwork`);
  const skadn = { versions: ['4.0'], sourceapp: '1', skadnetids: [...others, 'abcd1234.skadnetwork'] };
  const { imps } = readBidRequest(requestOf({ ext: { skadn } }), 'sample')!;
  expect(imps[0]!.skadnetwork!.ids.length).toBeLessThan(1000);
  const long = { ...skadn, skadnetids: ['a'.repeat(5000)] };
  expect(readBidRequest(requestOf({ ext: { skadn: long } }), 'sample')!.imps[0]!.skadnetwork!.ids).toEqual(
    [],
  );
});

test('a bid is signed for the first network for which it can be', () => {
  const ids = { sourceapp: '880047117' };
  const ext = {
    skadn: { ...ids, versions: ['4.0'], skadnetids: ['second.skadnetwork'] },
    adattributionkit: { ...ids, skadnetids: ['first.adattributionkit'] },
  };
  const { imps } = readBidRequest(requestOf({ ext, osv: '16.2' }), 'sample')!;
  const both = ['first.adattributionkit', 'second.skadnetwork', 'third.skadnetwork'].map((id) => ({
    ...networks[0]!,
    id,
    iabNumber: null,
  }));
  // AdAttributionKit is newer than the iOS of the device.
  expect(signableOf(imps[0]!, '16.2', both)).toMatchObject({ network: 'second.skadnetwork' });
  expect(signableOf(imps[0]!, '16.2', [both[2]!, both[0]!])).toBe('too_old');
});

test('the parameters are read for devices with iOS at exchanges with signed bids only', () => {
  const skadn = { versions: ['4.0'], sourceapp: '1', skadnetids: ['abcd1234.skadnetwork'] };
  const request = requestOf({ ext: { skadn } });
  const android = { ...request, device: { os: 'Android', osv: '14' } };
  expect(readBidRequest(request, 'sample')!.imps[0]!.skadnetwork).not.toBeNull();
  expect(readBidRequest(android, 'sample')!.imps[0]!.skadnetwork).toBeNull();
  expect(readBidRequest(request, 'sample', { isSigned: false })!.imps[0]!.skadnetwork).toBeNull();
});

test('networks of a numbered list of which too many are excluded to be read are not permitted', () => {
  const signableWith = (excluded: number) => {
    const excl = Array.from({ length: excluded }, (_, index) => 1000 + index);
    const skadn = { versions: ['4.0'], sourceapp: '1', skadnetlist: { max: 5000, excl } };
    const { imps } = readBidRequest(requestOf({ ext: { skadn } }), 'sample')!;
    return signableOf(imps[0]!, '17.5', networks);
  };
  expect(signableWith(500)).toMatchObject({ version: '4.0' });
  expect(signableWith(501)).toBe('not_listed');
});

test('the test of an exchange returns problems of the parameters as warnings', () => {
  const pathsOf = (ext: object) => {
    const problems = requestProblems(requestOf({ ext }));
    expect(problems.every(({ severity }) => severity === 'warning')).toBe(true);
    return problems.map(({ path }) => path);
  };
  const good = { versions: ['4.0'], sourceapp: '1', skadnetids: [] };
  expect(pathsOf({ skadn: good })).toEqual([]);
  expect(pathsOf({ skadn: 'yes', adattributionkit: [] })).toEqual([
    'imp[0].ext.skadn',
    'imp[0].ext.adattributionkit',
  ]);
  expect(pathsOf({ skadn: { skadnetids: 'abcd1234.skadnetwork', versions: [4] } })).toEqual([
    'imp[0].ext.skadn.versions',
    'imp[0].ext.skadn.skadnetids',
    'imp[0].ext.skadn.sourceapp',
  ]);
  expect(pathsOf({ skadn: { sourceapp: '1' } })).toEqual(['imp[0].ext.skadn.versions']);
});

test('the test of an exchange returns problems of the tracking prompt as warnings', () => {
  const pathsOf = (device: object) =>
    requestProblems({
      ...requestOf({ ext: {} }),
      device: { os: 'iOS', geo: { country: 'USA' }, ...device },
    }).map(({ severity, path }) => [severity, path]);
  for (const device of [
    {},
    { ext: { atts: 3 }, lmt: 0 },
    { ext: { atts: '2' }, lmt: 1, dnt: '1' },
    { ext: { atts: null } },
  ])
    expect(pathsOf(device)).toEqual([]);
  for (const atts of ['authorized', 4, [3, 3], {}, true])
    expect(pathsOf({ ext: { atts } })).toEqual([['warning', 'device.ext.atts']]);
  expect(pathsOf({ ext: { atts: 0 }, lmt: 0 })).toEqual([['warning', 'device.lmt']]);
  expect(pathsOf({ ext: { atts: 3 }, lmt: 0, dnt: 1 })).toEqual([['warning', 'device.dnt']]);
  expect(pathsOf({ ext: { ifv: 7 } })).toEqual([['warning', 'device.ext.ifv']]);
});
