import { expect, test } from 'vitest';
import { valueOf } from '../funnel/market.ts';
import { readBidRequest } from './read/read-request.ts';

test('a request lost for the genre of its app is counted with that genre', () => {
  const read = (app: object) =>
    readBidRequest({ id: 'r', imp: [{ id: '1', banner: { w: 320, h: 50 } }], device: {}, app }, 'sample')!;
  expect(valueOf('genre', read({ bundle: 'com.publisher', cat: ['IAB17'] }))).toBe('Sports');
  expect(valueOf('genre', read({ bundle: 'com.publisher' }))).toBe('');
});
