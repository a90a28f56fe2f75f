import { metricsOf } from '@bidwell/contract/reports/metrics';
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { ReportTree } from './report-tree.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

test('the heads of rates say how they are counted', async () => {
  const page = document.body.appendChild(document.createElement('div'));
  const metrics = ['win_rate', 'install_rate'] as const;
  const counts = { clicks: 4, installs: 1, impressions: 100, spendMicros: 1, wins: 1, losses: 3 };
  const total = { ...metricsOf(counts), ...metricsOf(counts, metrics) };
  const row = { level: 'adset', value: 'a', name: 'Europe', ...total, children: [] } as const;
  const report = { rows: [{ ...row, children: [] }], total };
  await act(async () =>
    createRoot(page).render(
      <MantineProvider env="test">
        <ReportTree
          report={report}
          levels={['adset']}
          rows={report.rows}
          metrics={metrics}
          sort={undefined}
          onSort={() => {}}
          open={new Set()}
          onToggle={() => {}}
        />
      </MantineProvider>,
    ),
  );
  const about = async (label: string) => {
    const head = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === label)!;
    await act(async () => head.focus());
    const shown = document.querySelector('[role=tooltip]')?.textContent;
    await act(async () => head.blur());
    return shown;
  };
  expect(await about('Win rate')).toContain('of the bids whose exchange reported a win or a loss');
  expect(await about('Install rate')).toContain('Installs after a view without a click are included');
});
