import { expect, test } from 'vitest';
import { revenueTable } from './revenue-values.ts';

test('the CSV file of the revenue has a row for each day, exact to the micro', () => {
  const day = { date: '2026-02-01', spend: 0.1 + 0.2, media: 0.25, margin: 0.05, funds: 10 };
  expect(revenueTable([day, { ...day, date: '2026-02-02', funds: -1 }])).toEqual({
    fields: ['Date', 'Spend', 'Media cost', 'Margin', 'Funds added'],
    data: [
      ['2026-02-01', 0.3, 0.25, 0.05, 10],
      ['2026-02-02', 0.3, 0.25, 0.05, -1],
    ],
  });
});
