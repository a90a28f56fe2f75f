import { expect, test } from 'vitest';
import { canParseUrl } from './can-parse-url.ts';

test('a URL with an umlaut is one however often it is read', () => {
  // The engine optimises a function after some thousand calls.
  const wrong = Array.from({ length: 50_000 }, () => canParseUrl('https://bücher.example/straße')).filter(
    (isUrl) => !isUrl,
  );
  expect(wrong).toHaveLength(0);
});

test('a text without a scheme is a URL only relative to another', () => {
  expect(canParseUrl('/page')).toBe(false);
  expect(canParseUrl('/page', 'https://ads.example.com')).toBe(true);
});
