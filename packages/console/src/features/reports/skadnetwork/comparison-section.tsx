import type { Comparison, ComparisonRow } from '@bidwell/contract/skadnetwork/report';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Figures } from '../../../lib/figures.ts';
import { formatDay } from '../../../lib/format/format.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column, TableState } from '../../../ui/table/table-state.ts';

const nameOf = ({ adset }: ComparisonRow) => adset?.name ?? 'Unknown source identifier';

const columns: readonly Column<ComparisonRow>[] = [
  { id: 'adset', header: 'Ad set', cell: nameOf, sortBy: nameOf, fixed: true },
  {
    id: 'day',
    header: 'Day of arrival',
    wrap: 'never',
    cell: ({ day }) => formatDay(day),
    sortBy: ({ day }) => day,
  },
  numberColumn('partner', 'Partner installs', ({ partner_installs: count }) => count),
  numberColumn('postbacks', 'Installs by postbacks', ({ postback_installs: count }) => count),
];

/** Installs by postbacks beside those of measurement partners; the two are never added up. */
export function ComparisonSection({ figures }: { figures: Figures<Comparison> }) {
  const [state, setState] = useState<TableState>({});
  return (
    <Section title="Beside the measurement partner">
      <Text size="sm" mb="sm">
        {screenMessages.postbackOverlap}
      </Text>
      <DataTable
        label="Installs by partner and by postbacks"
        columns={columns}
        rows={figures.data?.rows}
        figures={figures}
        rowId={({ day, adset }) => `${day} ${adset?.uuid ?? ''}`}
        rowName={nameOf}
        state={state}
        onStateChange={setState}
        minWidth={620}
        empty={<EmptyState title="Nothing to compare in this range" text={screenMessages.postbacksEmpty} />}
      />
    </Section>
  );
}
