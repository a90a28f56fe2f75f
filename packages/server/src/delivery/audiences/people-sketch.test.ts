import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import { digestOfId } from './id-digest.ts';
import { PeopleSketch } from './people-sketch.ts';

const digestOf = (person: number) => digestOfId('sha256', `person ${person}`);
const sketchOf = (from: number, to: number): PeopleSketch => {
  const sketch = new PeopleSketch();
  for (let person = from; person < to; person += 1) sketch.add(digestOf(person));
  return sketch;
};

test.each([0, 1, 10, 100, 1000, 5000, 20_000, 100_000])(
  '%i people are counted to a few percent',
  (people) => {
    const counted = sketchOf(0, people).count();
    // Three times the usual error.
    expect(Math.abs(counted - people)).toBeLessThanOrEqual(Math.max(1, people * 0.07));
  },
);

test('people of several sketches count once, in any order, and the text of a sketch is the sketch', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3000), fc.nat(300)), { minLength: 1, maxLength: 6 }), (ranges) => {
      const all = new PeopleSketch();
      const merged = new PeopleSketch();
      for (const [from, length] of ranges)
        for (let person = from; person < from + length; person += 1) all.add(digestOf(person));
      for (const [from, length] of ranges.toReversed())
        merged.merge(PeopleSketch.parse(sketchOf(from, from + length).text()));
      expect(merged.text()).toBe(all.text());
      merged.merge(all);
      expect(merged.count()).toBe(all.count());
    }),
    runs(50),
  );
});

test('an unreadable text is an empty sketch', () => {
  for (const text of ['', 'x', 'AAAA']) expect(PeopleSketch.parse(text).count()).toBe(0);
});
