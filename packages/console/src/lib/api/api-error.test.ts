import { messages } from '@bidwell/contract/text/messages';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, failureText, withoutServerText } from './api-error.ts';

afterEach(() => vi.restoreAllMocks());

test('an error of the server has one sentence, with and without a text of the server', () => {
  const sentences = [
    new ApiError(500, messages.serverError),
    withoutServerText(502, messages.noEnvelope),
    withoutServerText(500, messages.serverError),
  ].map((error) => failureText(error));
  expect(new Set(sentences)).toEqual(new Set([messages.serverError]));
});

test('an unreachable server and an offline browser have their own messages', () => {
  const unreached = withoutServerText(0, messages.unreachable);
  expect(failureText(unreached)).toBe(messages.unreachable);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(failureText(unreached)).toBe(messages.offline);
  expect(failureText(unreached, messages.tryAgain)).toBe(messages.offline);
});

test('a sentence of the server is shown as it is, also where a form has one of its own', () => {
  const refusal = new ApiError(422, 'The name is taken.');
  expect(failureText(refusal)).toBe('The name is taken.');
  expect(failureText(refusal, messages.tryAgain)).toBe('The name is taken.');
  expect(failureText(withoutServerText(502, messages.serverError), messages.tryAgain)).toBe(
    messages.tryAgain,
  );
  expect(failureText(new ApiError(503, 'The service is busy.'))).toBe('The service is busy.');
});

test('a fault of the page never shows the words of the browser', () => {
  expect(failureText(new TypeError("Cannot read properties of undefined (reading 'uuid')"))).toBe(
    messages.pageFault,
  );
  expect(failureText(new Error('The link could not be copied'))).toBe('The link could not be copied');
});
