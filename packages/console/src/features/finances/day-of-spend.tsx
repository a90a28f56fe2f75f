import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { partsInCents } from '../../entities/finance/cents.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { formatMoney } from '../../lib/format/format.ts';
import { accountStatementQuery } from '../../entities/finance/queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';

/** The media spend of a day by campaign, the largest first. */
export function DayOfSpend({ date }: { date: string }) {
  const figures = useLoadable(accountStatementQuery({ start: date, end: date }));
  const campaigns = knownData(figures)?.campaigns ?? [];
  const parts = partsInCents(
    campaigns.map(({ spend }) => spend),
    -(knownData(figures)?.totals.spend ?? 0),
  );
  return (
    <FigureFrame
      figures={figures}
      what="The campaigns of the day"
      noticeMargin="sm"
      skeleton={<Skeleton height={48} m="sm" />}
    >
      <Stack component="ul" gap={4} m={0} py="xs" pl={42} pr="xs" aria-label="Spend by campaign">
        {campaigns.map(({ uuid, name }, index) => (
          <Group key={uuid} component="li" justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Text size="sm">{formatMoney(parts[index]!)}</Text>
          </Group>
        ))}
      </Stack>
    </FigureFrame>
  );
}
