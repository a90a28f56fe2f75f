import { expect, test } from 'vitest';
import { unknownText } from './reach-text.ts';

test.each([
  [1, false, /^1 charged impression was of ad sets without a frequency cap, or to people without an id/],
  [1200, false, /^1\s200 charged impressions were of ad sets without a frequency cap/],
  [5, true, /^5 other charged impressions were .* how many people saw them is not known\.$/],
])(
  '%i impressions whose people are not known are named; with known people: %s',
  (impressions, hasKnown, text) => {
    expect(unknownText(impressions, hasKnown)).toMatch(text);
  },
);
