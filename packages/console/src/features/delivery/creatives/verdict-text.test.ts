import { expect, test } from 'vitest';
import { formatName, probabilityText, verdictText } from './verdict-text.ts';

const about = { leader: 'Harvest', count: 2, metric: 'ipm' } as const;
const notEnough = {
  outcome: 'not_enough',
  uuid: '',
  probability: 0.81,
  days_left: 3,
  has_traffic: true,
} as const;

test('a verdict names the creative, its probability and the days that are missing', () => {
  expect(verdictText({ outcome: 'best', uuid: '', probability: 0.97 }, about)).toBe(
    'Harvest is the best with a probability of 97%.',
  );
  expect(verdictText(notEnough, about)).toBe(
    'Not enough data yet: about 3 more days. Harvest leads with a probability of 81%.',
  );
  expect(verdictText({ ...notEnough, days_left: 1 }, about)).toContain('about 1 more day.');
  expect(verdictText({ ...notEnough, days_left: null }, about)).toContain('more than 90 more days');
  expect(verdictText({ ...notEnough, days_left: null, has_traffic: false }, about)).toContain(
    'no impressions in the last 24 hours',
  );
  expect(verdictText({ outcome: 'none' }, { ...about, count: 1 })).toMatch(/^There is no other creative/);
  expect(verdictText({ outcome: 'none' }, about)).toBe('There are no installs to compare yet.');
});

test('probabilities are never shown as certain, and formats as in other screens', () => {
  expect([0, 0.5, 0.999].map(probabilityText)).toEqual(['< 1%', '50%', '> 99%']);
  expect(formatName({ type: 'Banner', format: '320x50' })).toBe('Banners 320×50');
  expect(formatName({ type: 'Video', format: null })).toBe('Videos');
});
