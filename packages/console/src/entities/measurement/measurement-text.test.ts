import { REJECTION_REASONS } from '@bidwell/contract/measurement/schema';
import { expect, test } from 'vitest';
import { installRateText, netInstalls, notCounted } from './measurement-text.ts';

test('every reason has a sentence and a remedy that name the partner, the most frequent first', () => {
  const listed = notCounted(
    {
      rejections: REJECTION_REASONS.map((reason, index) => ({
        reason,
        partner_reason: '',
        count: index + 1,
      })),
      late: 50,
    },
    'Adjust',
  );
  expect(listed).toHaveLength(REJECTION_REASONS.length + 1);
  expect(listed.map(({ count }) => count)).toEqual([50, 7, 6, 5, 4, 3, 2, 1]);
  for (const { text, remedy } of listed) {
    expect(text).toMatch(/\.$/);
    expect(remedy).toMatch(/\.$/);
  }
  expect(listed[0]!.remedy).toContain('Adjust');
});

test('the partner’s own reason is quoted', () => {
  const rejections = [{ reason: 'partner' as const, partner_reason: 'bots', count: 3 }];
  expect(notCounted({ rejections, late: 0 }, 'AppsFlyer')).toMatchObject([
    { count: 3, text: 'AppsFlyer rejected the install: “bots”.' },
  ]);
});

test('a rate has its interval, and none a dash', () => {
  expect(installRateText({ install_rate: { value: 12.5, low: 4.3, high: 31 } })).toBe('12.50 (4.30–31.00)');
  expect(installRateText({ install_rate: null })).toBe('-');
});

test('an install that was taken back is subtracted, also on a day without other installs', () => {
  expect(netInstalls({ installs: 12, revoked: 1 })).toBe(11);
  expect(netInstalls({ installs: 0, revoked: 2 })).toBe(-2);
});
