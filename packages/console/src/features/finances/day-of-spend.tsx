import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { partsInCents } from '../../entities/finance/cents.ts';
import { mapped, useLoadable } from '../../lib/loadable.ts';
import { formatMoney } from '../../lib/format/format.ts';
import { accountStatementQuery } from '../../entities/finance/queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';

/** The media spend of a day by campaign, the largest first. */
export function DayOfSpend({ date }: { date: string }) {
  const figures = useLoadable(accountStatementQuery({ start: date, end: date }));
  const campaigns = mapped(figures, (statement) => {
    const parts = partsInCents(
      statement.campaigns.map(({ spend }) => spend),
      -statement.totals.spend,
    );
    return statement.campaigns.map(({ uuid, name }, index) => ({ uuid, name, spend: parts[index]! }));
  });
  return (
    <FigureFrame
      figures={campaigns}
      what="The campaigns of the day"
      noticeMargin="sm"
      skeleton={<Skeleton height={48} m="sm" />}
    >
      {(known) => (
        <Stack component="ul" gap={4} m={0} py="xs" pl={42} pr="xs" aria-label="Spend by campaign">
          {known.map(({ uuid, name, spend }) => (
            <Group key={uuid} component="li" justify="space-between" wrap="nowrap">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              <Text size="sm">{formatMoney(spend)}</Text>
            </Group>
          ))}
        </Stack>
      )}
    </FigureFrame>
  );
}
