import type { ComparedCreative, ComparedMetric } from '@bidwell/contract/campaign-reports/creatives';
import type { InternalCreative } from '@bidwell/contract/creatives/schema';
import { Box, Group, Text } from '@mantine/core';
import { formatMoney } from '../../../lib/format/format.ts';
import { CreativeThumbnail } from '../../../entities/creatives/creative-thumbnail.tsx';
import { LongText } from '../../../ui/layout/text.tsx';
import { numberColumn } from '../../../ui/table/number-column.ts';
import type { Column } from '../../../ui/table/table-state.ts';
import classes from '../funnel/funnel-steps.module.css';
import { rateColumn } from '../rate-column.tsx';
import { probabilityText } from './verdict-text.ts';

/** Columns of compared creatives; `assets` has their pictures. */
export function creativeColumns(
  assets: ReadonlyMap<string, InternalCreative>,
  metric: ComparedMetric,
): readonly Column<ComparedCreative>[] {
  return [
    {
      id: 'name',
      header: 'Creative',
      fixed: true,
      cell: ({ uuid, name }) => <NameCell name={name} asset={assets.get(uuid)} />,
      sortBy: ({ name }) => name,
    },
    numberColumn('impressions', 'Impressions', ({ impressions }) => impressions),
    rateColumn('ctr', 'CTR, %', ({ ctr_rate: rate }) => rate),
    numberColumn('installs', 'Installs', ({ installs }) => installs),
    rateColumn('ipm', 'IPM', ({ ipm_rate: rate }) => rate),
    numberColumn('cpi', 'CPI, $', ({ cpi }) => cpi, formatMoney),
    {
      id: 'best',
      header: metric === 'ctr' ? 'Best by clicks' : 'Best by installs',
      width: 150,
      cell: ({ best }) => <BestCell probability={best} />,
      sortBy: ({ best }) => best,
    },
  ];
}

function NameCell({ name, asset }: { name: string; asset: InternalCreative | undefined }) {
  return (
    <Group gap="sm" wrap="nowrap">
      {asset && <CreativeThumbnail asset={asset} width={64} height={36} />}
      <LongText>{name}</LongText>
    </Group>
  );
}

function BestCell({ probability }: { probability: number | null }) {
  if (probability === null) return '-';
  return (
    <>
      <Text size="sm">{probabilityText(probability)}</Text>
      <Box className={classes['track']} aria-hidden>
        <Box className={classes['bar']} style={{ width: `${probability * 100}%` }} />
      </Box>
    </>
  );
}
