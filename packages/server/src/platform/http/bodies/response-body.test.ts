import { expect, test } from 'vitest';
import { readBodyText } from './response-body.ts';

test('a body up to the bound is read, also where a character is divided', async () => {
  const bytes = Buffer.from('häll😀');
  const body = new Blob([bytes.subarray(0, 2), bytes.subarray(2, 7), bytes.subarray(7)]).stream();
  expect(await readBodyText(body, bytes.length)).toEqual({ text: 'häll😀', whole: true });
  expect(await readBodyText(null, 10)).toEqual({ text: '', whole: true });
});

test('a body without an end is cut, and its source is stopped', async () => {
  let stopped = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.from('abcd')),
    cancel: () => void (stopped = true),
  });
  expect(await readBodyText(endless, 10)).toEqual({ text: 'abcdabcd', whole: false });
  expect(stopped).toBe(true);
});
