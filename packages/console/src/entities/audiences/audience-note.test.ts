import { audienceExample } from '@bidwell/contract/audiences/examples';
import { Audience } from '@bidwell/contract/audiences/schema';
import { expect, test } from 'vitest';
import { groupNote } from './audience-note.tsx';

const one = (changes: Partial<Audience>): Audience => ({
  ...Audience.parse(audienceExample),
  kind: 'list',
  state: 'ready',
  ...changes,
});
const audiences = [
  one({ uuid: 'full', size: 10 }),
  one({ uuid: 'empty', size: 0 }),
  one({ uuid: 'importing', size: 0, state: 'importing' }),
];

test('an included audience without people has a warning', () => {
  expect(groupNote(['empty'], audiences, 'ad set')).toEqual({
    isWarning: true,
    text: 'This audience has no people yet. The ad set makes no bids until it has some.',
  });
  expect(groupNote(['empty'], audiences, 'target')?.text).toContain('Its ad sets make no bids');
  expect(groupNote(['empty', 'full'], audiences, 'ad set')).toBeNull();
});

test('an audience that is being imported has no number, and no warning', () => {
  expect(groupNote(['importing'], audiences, 'ad set')).toEqual({
    isWarning: false,
    text: 'The size of this audience is not known yet. The ad set makes no bids until it has people.',
  });
});
