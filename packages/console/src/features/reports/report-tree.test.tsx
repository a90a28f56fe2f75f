import type { DefaultRow } from '@bidwell/contract/reports/schema';
import { chosenMetricsOf } from '@bidwell/contract/reports/chosen-metrics';
import { metricsOf } from '@bidwell/contract/reports/metrics';
import { MantineProvider } from '@mantine/core';
import { type ComponentProps, act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { openablePaths } from './report-rows.ts';
import { reportColumns } from './report-columns.ts';
import { ReportTree } from './report-tree.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

async function renderTree(props: Partial<ComponentProps<typeof ReportTree>>): Promise<HTMLElement> {
  const page = document.body.appendChild(document.createElement('div'));
  await act(async () =>
    createRoot(page).render(
      <MantineProvider env="test">
        <ReportTree
          report={undefined}
          levels={['adset']}
          rows={props.report?.rows ?? []}
          columns={reportColumns(['spends', 'cpi'], [])}
          sort={undefined}
          onSort={() => {}}
          open={new Set()}
          onToggle={() => {}}
          {...props}
        />
      </MantineProvider>,
    ),
  );
  return page;
}

test('the heads of rates say how they are counted', async () => {
  const metrics = ['win_rate', 'install_rate'] as const;
  const counts = { clicks: 4, installs: 1, impressions: 100, spendMicros: 1, wins: 1, losses: 3 };
  const total = { ...metricsOf(counts), ...chosenMetricsOf(counts, metrics) };
  const report = {
    rows: [{ level: 'adset' as const, value: 'a', name: 'Europe', ...total, children: [] }],
    total,
  };
  const page = await renderTree({ report, columns: reportColumns(metrics, []) });
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

const row = (name: string, dollars: number, children: DefaultRow[] = []): DefaultRow => {
  const counts = { clicks: 10, installs: dollars > 5 ? 2 : 0, impressions: 100 };
  return {
    level: children.length > 0 ? 'adset' : 'country',
    value: name,
    name,
    ...metricsOf({ ...counts, spendMicros: dollars * 1_000_000 }),
    children,
  };
};
const rows = [row('Europe', 9, [row('DE', 6), row('AT', 3), row('FR', 8)]), row('Asia', 4, [row('JP', 4)])];
const report = { rows, total: row('', 13) };
const spend = reportColumns(['spends'], []);
const namesIn = (page: HTMLElement) =>
  [...page.querySelectorAll('tbody td:first-child')].map(({ textContent }) =>
    textContent.replace(/Ad set|Country/, ''),
  );

test('siblings are sorted at their own level, by hidden metrics too; rows without a value come last in both orders', async () => {
  const names = async (sort: string) =>
    namesIn(await renderTree({ report, sort, open: new Set(openablePaths(rows)) }));
  expect(await names('name')).toEqual(['Asia', 'JP', 'Europe', 'AT', 'DE', 'FR']);
  expect(await names('-spends')).toEqual(['Europe', 'FR', 'DE', 'AT', 'Asia', 'JP']);
  expect(await names('cpi')).toEqual(['Europe', 'DE', 'FR', 'AT', 'Asia', 'JP']);
  expect(await names('-cpi')).toEqual(['Europe', 'FR', 'DE', 'AT', 'Asia', 'JP']);
  expect(await names('-cpm')).toEqual(['Europe', 'FR', 'DE', 'AT', 'Asia', 'JP']);
});

test('figures sort in descending order first', async () => {
  const sorts: (string | undefined)[] = [];
  const page = await renderTree({ report, onSort: (sort) => sorts.push(sort) });
  for (const label of ['Breakdown', 'Spend'])
    await act(async () =>
      [...page.querySelectorAll('button')].find(({ textContent }) => textContent === label)!.click(),
    );
  expect(sorts).toEqual(['name', '-spends']);
});

test('the first hundred siblings are shown until the user shows more, and all of them in print', async () => {
  const many = Array.from({ length: 230 }, (_, index) => row(`Set ${index}`, 1));
  const wide = { rows: many, total: row('', 230) };
  const page = await renderTree({ report: wide, columns: spend });
  expect(page.querySelectorAll('tr[data-row]')).toHaveLength(100);
  const more = [...page.querySelectorAll('button')].at(-1)!;
  expect(more.textContent).toBe('Show 100 more of 230');
  await act(async () => more.click());
  expect(page.querySelectorAll('tr[data-row]')).toHaveLength(200);
  expect([...page.querySelectorAll('button')].at(-1)!.textContent).toBe('Show 30 more of 230');
  expect(
    (await renderTree({ report: wide, columns: spend, whole: true })).querySelectorAll('tr[data-row]'),
  ).toHaveLength(230);
});
