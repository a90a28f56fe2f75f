import type { SourceIdentifier, SourceIdentifierList } from '@bidwell/contract/skadnetwork/schema';
import { sourceIdentifierTexts } from '@bidwell/contract/text/skadnetwork-text';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { sourceIdentifiersQuery } from '../../entities/apps/queries.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Caption, LongText, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

/** The columns of the table; `present`: the app's number in the store, null if its store link has none. */
const columnsOf = (present: number | null): readonly RecordColumn<SourceIdentifier>[] => [
  { header: 'Source identifier', cell: ({ number }) => number, wrap: 'never', width: 130 },
  {
    header: 'Ad set',
    cell: ({ adset, item_id: itemId, released_at: released }) => (
      <>
        {adset ?? 'Deleted'}
        {released !== null && <Caption>Until {formatMoment(released)}, then of another ad set</Caption>}
        {itemId !== present && <Caption>{sourceIdentifierTexts.former(itemId)}</Caption>}
      </>
    ),
    wrap: 'anywhere',
    width: 180,
  },
  { header: 'Since', cell: ({ allocated_at: since }) => formatMoment(since), wrap: 'never' },
  {
    header: 'Last signed bid',
    cell: ({ last_bid_at: last }) => (last === null ? 'None yet' : formatMoment(last)),
    wrap: 'never',
  },
];

/** Which source identifier in postbacks of SKAdNetwork is which ad set of an iOS app. */
export function SourceIdentifiersSection({ uuid }: { uuid: string }) {
  const figures = useLoadable(sourceIdentifiersQuery(uuid));
  const data = knownData(figures);
  return (
    <Section title="Source identifiers">
      <FigureFrame figures={figures} what="The source identifiers" skeleton={<Skeleton height={120} />}>
        {data && <SourceIdentifiers list={data} />}
      </FigureFrame>
    </Section>
  );
}

function SourceIdentifiers({ list }: { list: SourceIdentifierList }) {
  const { enabled, item_id: itemId, source_identifiers: identifiers, without_number: without } = list;
  const former = identifiers.filter((one) => one.item_id !== itemId).length;
  const columns = useMemo(() => columnsOf(itemId), [itemId]);
  return (
    <Stack gap="sm">
      <Muted>{enabled ? sourceIdentifierTexts.switchedOn : sourceIdentifierTexts.switchedOff}</Muted>
      {!list.has_network && <Text size="sm">{sourceIdentifierTexts.noNetwork}</Text>}
      {itemId === null && <Text size="sm">{sourceIdentifierTexts.noStoreId}</Text>}
      {identifiers.length === former && (
        <Muted>
          {former > 0 && itemId !== null
            ? sourceIdentifierTexts.emptyOf(itemId)
            : sourceIdentifierTexts.empty}
        </Muted>
      )}
      {identifiers.length > 0 && (
        <RecordTable label="Source identifiers" columns={columns} rows={identifiers} minWidth={560} />
      )}
      {without.length > 0 && (
        <LongText>{sourceIdentifierTexts.without(without.map(({ name }) => name))}</LongText>
      )}
    </Stack>
  );
}
