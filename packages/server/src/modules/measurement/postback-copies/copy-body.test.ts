import { COPY_FACTS } from '@bidwell/contract/measurement/partners/postback-copies';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyBody } from './copy-body.ts';

const known = {
  campaign: { uuid: 'c-1', name: 'Spring “26”' },
  adset: { uuid: 'a-1', name: 'All' },
  receivedAt: new Date('2026-03-10T12:00:00.900Z'),
};
const added = COPY_FACTS.appsflyer.added!;

test('the fields of the device stay byte for byte, and the ones of the network follow', () => {
  const body = Buffer.from('{\n  "version" : "4.0",\n  "app-id" : 12e0\n}\n');
  const text = copyBody(body, added, known).toString();
  expect(text.startsWith('{\n  "version" : "4.0",\n  "app-id" : 12e0\n')).toBe(true);
  expect(text.endsWith('}\n')).toBe(true);
  expect(JSON.parse(text)).toEqual({
    version: '4.0',
    'app-id': 12,
    'ad-network-campaign-id': 'c-1',
    'ad-network-campaign-name': 'Spring “26”',
    'ad-network-adset-id': 'a-1',
    'ad-network-adset-name': 'All',
    timestamp: '1773144000',
  });
});

test('a copy is JSON with all that the device sent, whatever that is', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string(),
        fc.json().map((text) => JSON.parse(text) as unknown),
      ),
      (fields) => {
        const body = Buffer.from(JSON.stringify(fields));
        expect(JSON.parse(copyBody(body, added, known).toString())).toMatchObject(fields);
      },
    ),
  );
});

test('without fields of the network, and where the device names one of them, the bytes are sent as they came', () => {
  const body = Buffer.from('{"version":"4.0","timestamp":1}');
  expect(copyBody(body, null, known)).toBe(body);
  expect(copyBody(body, added, known)).toBe(body);
  const none = { campaign: null, adset: null, receivedAt: new Date() };
  const plain = Buffer.from('{"version":"4.0"}');
  expect(copyBody(plain, COPY_FACTS.branch.added, none)).toBe(plain);
});
