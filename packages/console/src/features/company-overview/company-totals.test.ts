import type { CompanySummary } from '@bidwell/contract/company-overview/schema';
import { describe, expect, it } from 'vitest';
import { companyTotal, hidesFigures } from './company-totals.ts';

const company = (fields: Partial<CompanySummary>): CompanySummary => ({
  uuid: crypto.randomUUID(),
  name: 'Northlight',
  role: 'owner',
  is_current: false,
  is_suspended: false,
  requires: null,
  spend_today: 1.5,
  spend_7_days: 10,
  balance: -2.25,
  active_campaigns: 3,
  unread_warnings: 0,
  is_incomplete: false,
  ...fields,
});

describe('the totals of all companies', () => {
  it('add up what each company shows to the person', () => {
    const all = [company({}), company({ role: 'finance', active_campaigns: null, balance: 100 })];
    expect(companyTotal(all, 'balance')).toBe(97.75);
    expect(companyTotal(all, 'active_campaigns')).toBe(3);
  });

  it('are unknown where a figure could not be read, or no company shows it', () => {
    const late = company({ is_incomplete: true, spend_today: null });
    expect(companyTotal([company({}), late], 'spend_today')).toBeNull();
    expect(companyTotal([company({}), late], 'balance')).toBe(-4.5);
    expect(companyTotal([company({ balance: null })], 'balance')).toBeNull();
  });

  it('say that they leave figures out which the person may not see', () => {
    expect(hidesFigures([company({}), company({ role: 'finance', active_campaigns: null })])).toBe(true);
    expect(hidesFigures([company({}), company({ is_incomplete: true, spend_today: null })])).toBe(false);
    expect(hidesFigures([company({}), company({ balance: 0 })])).toBe(false);
  });
});
