import type { SourceIdentifier, SourceIdentifierList } from '@bidwell/contract/skadnetwork/schema';
import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { sourceIdentifiersQuery } from '../../entities/apps/queries.ts';
import { useFigures } from '../../lib/figures.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** Which number in postbacks of SKAdNetwork is which ad set of an iOS app. */
export function SourceIdentifiersSection({ uuid }: { uuid: string }) {
  const figures = useFigures(sourceIdentifiersQuery(uuid));
  const { data } = figures;
  return (
    <Section title="SKAdNetwork">
      <FigureFrame figures={figures} what="The numbers of ad sets" skeleton={<Skeleton height={120} />}>
        {data && <Numbers list={data} />}
      </FigureFrame>
    </Section>
  );
}

function Numbers({
  list: { enabled, source_identifiers: numbers, without_number: without },
}: {
  list: SourceIdentifierList;
}) {
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {enabled
          ? 'Bids for this app are signed. A postback names an ad set by its whole number or by the last two or three digits; up to SKAdNetwork 3.0 the last two are the campaign.'
          : 'Bids for this app are not signed. The operator switches that on.'}
      </Text>
      {numbers.length > 0 && (
        <Table.ScrollContainer minWidth={520}>
          <Table verticalSpacing="xs" aria-label="Numbers of ad sets">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Number</Table.Th>
                <Table.Th>Ad set</Table.Th>
                <Table.Th>Since</Table.Th>
                <Table.Th>Last signed bid</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {numbers.map((one) => (
                <NumberRow key={`${one.number} ${one.allocated_at}`} {...one} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {without.length > 0 && (
        <Text size="sm">
          Without a number: {without.map(({ name }) => name).join(', ')}. Their bids are not signed yet.
        </Text>
      )}
    </Stack>
  );
}

function NumberRow({
  number,
  adset,
  allocated_at: since,
  last_bid_at: lastBid,
  released_at: released,
}: SourceIdentifier) {
  return (
    <Table.Tr>
      <Table.Td>{number}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {adset ?? 'Deleted'}
        {released !== null && (
          <Text size="xs" c="dimmed">
            Until {formatMoment(released)}, then of another ad set
          </Text>
        )}
      </Table.Td>
      <Table.Td>{formatMoment(since)}</Table.Td>
      <Table.Td>{lastBid === null ? 'None yet' : formatMoment(lastBid)}</Table.Td>
    </Table.Tr>
  );
}
