import type { Comparison, ComparisonRow } from '@bidwell/contract/skadnetwork/report';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { TableState } from '../../../lib/table-search.ts';
import { useMemo, useState } from 'react';
import { type Loadable, knownData } from '../../../lib/loadable.ts';
import { csvFile, csvText, saveFile } from '../../../lib/format/csv-file.ts';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { labelInRange } from '../../../lib/format/dates.ts';
import { formatDay, formatNumber } from '../../../lib/format/format.ts';
import { useDrawn } from '../../../lib/use-drawn.ts';
import { useSave } from '../../../ui/form/use-save.ts';
import { SmallButton } from '../../../ui/layout/buttons.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { Segments } from '../../../ui/layout/segments.tsx';
import { DataTable } from '../../../ui/table/data-table.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column } from '../../../ui/table/table-state.ts';
import {
  type ComparisonGroup,
  comparedName,
  comparisonGroup,
  comparisonId,
  groupComparison,
} from './comparison-groups.ts';
import { arrivalTitles, comparisonCsv } from './skadnetwork-csv.ts';

const groupOptions = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
] as const;

interface ComparisonSectionProps {
  figures: Loadable<Comparison>;
  range: DateRange;
  /** The chosen group; undefined for the default of the range. */
  chosen: ComparisonGroup | undefined;
  onChoose: (group: ComparisonGroup) => void;
}

/** Installs by postbacks and by measurement partners, by day or week. The two are never added up. */
export function ComparisonSection({ figures, range, chosen, onChoose }: ComparisonSectionProps) {
  const [state, setState] = useState<TableState>({});
  // The figures of the previous range stay until the new ones have loaded.
  const drawn = useDrawn(range, figures.state === 'stale');
  const group = comparisonGroup(drawn, chosen);
  const data = knownData(figures);
  const rows = useMemo(() => data && groupComparison(data.rows, group), [data, group]);
  const columns = useMemo(() => columnsOf(group, drawn, data?.total), [group, drawn, data?.total]);
  const { save: download, busy } = useSave({
    send: async () => {
      if (data)
        saveFile(
          `bidwell-skadnetwork-comparison-${drawn.start}-${drawn.end}.csv`,
          csvFile(await csvText(comparisonCsv(data, group, drawn))),
        );
    },
  });
  return (
    <Section
      title="Compared with the measurement partner"
      actions={
        <Group gap="xs" className="no-print">
          <Segments small label="Compare by" value={group} onChange={onChoose} options={groupOptions} />
          <SmallButton
            leftSection={<IconDownload size={16} />}
            loading={busy}
            disabled={!rows || rows.length === 0 || figures.state === 'stale'}
            aria-label="CSV of the comparison"
            onClick={() => download()}
          >
            CSV
          </SmallButton>
        </Group>
      }
    >
      <Text size="sm" mb="sm">
        {screenMessages.postbackOverlap}
      </Text>
      <DataTable
        label="Installs by partner and by postbacks"
        columns={columns}
        rows={rows}
        figures={figures}
        rowId={comparisonId}
        rowName={comparedName}
        state={state}
        onStateChange={setState}
        minWidth={620}
        empty={<EmptyState title="Nothing to compare in this range" text={screenMessages.comparisonEmpty} />}
      />
    </Section>
  );
}

function columnsOf(
  group: ComparisonGroup,
  range: DateRange,
  total: Comparison['total'] | undefined,
): readonly Column<ComparisonRow>[] {
  const partner = numberColumn<ComparisonRow>('partner', 'Partner installs', (row) => row.partner_installs);
  const postbacks = numberColumn<ComparisonRow>(
    'postbacks',
    'Installs by postbacks',
    (row) => row.postback_installs,
  );
  return [
    { id: 'adset', header: 'Ad set', cell: comparedName, sortBy: comparedName, fixed: true, footer: 'Total' },
    {
      id: 'day',
      header: arrivalTitles[group],
      wrap: 'never',
      cell: ({ day }) => (group === 'day' ? formatDay(day) : labelInRange(day, group, range)),
      sortBy: ({ day }) => day,
    },
    { ...partner, footer: () => formatNumber(total?.partner_installs ?? null) },
    { ...postbacks, footer: () => formatNumber(total?.postback_installs ?? null) },
  ];
}
