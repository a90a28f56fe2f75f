import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRequest } from './read/read-body.ts';
import { readBidRequest } from './read/read-request.ts';
import { valueOf } from '../funnel/market.ts';

/** The ids of a request whose id and imp ids are these texts of JSON; null if it is rejected. */
function idsOf(id: string, imps: readonly string[], more = ''): readonly string[] | null {
  const list = imps.map((one) => `{"banner":{"w":320,"h":50},"id":${one}}`).join();
  const request = readBidRequest(parseRequest(`{${more}"id" : ${id},"imp":[${list}]}`), 'sample');
  return request && [request.id, ...request.imps.map((imp) => imp.id)];
}

test('a numeric id comes back digit for digit', () => {
  const integer = fc.oneof(fc.bigInt(), fc.bigInt({ min: 10n ** 15n, max: 10n ** 30n })).map(String);
  fc.assert(
    fc.property(integer, integer, (id, impId) => {
      expect(idsOf(id, [impId])).toEqual([id, impId]);
    }),
  );
  expect(idsOf('"a"', ['1', '9007199254740993', '9007199254740992', '1e400'])).toEqual([
    'a',
    '1',
    '9007199254740993',
    '9007199254740992',
    '1e400',
  ]);
});

test('texts that look like ids stay as they are', () => {
  const text = JSON.stringify({ assets: [{ id: 1 }], name: '"id":9007199254740993' });
  const request = { id: 0, imp: [{ id: 9 }], native: { request: text }, note: '\\"id":90071992547409931' };
  const body = JSON.stringify(request).replace('{"id":0', '{"id":9007199254740993123');
  expect(parseRequest(body)).toEqual({ ...request, id: '9007199254740993123' });
});

test('a byte order mark is ignored only before the request', () => {
  expect(parseRequest('\uFEFF{"id":"1"}')).toEqual({ id: '1' });
  expect(() => parseRequest('{\uFEFF"id":"1"}')).toThrow(SyntaxError);
});

test('a request lost for the genre of its app is counted with that genre', () => {
  const read = (app: object) =>
    readBidRequest({ id: 'r', imp: [{ id: '1', banner: { w: 320, h: 50 } }], device: {}, app }, 'sample')!;
  expect(valueOf('genre', read({ bundle: 'com.publisher', cat: ['IAB17'] }))).toBe('Sports');
  expect(valueOf('genre', read({ bundle: 'com.publisher' }))).toBe('');
});
