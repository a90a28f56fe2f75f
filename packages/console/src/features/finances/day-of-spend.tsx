import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useFigures } from '../../lib/figures.ts';
import { formatMoney } from '../../lib/format.ts';
import { accountStatementQuery } from '../../lib/queries/finance.ts';
import { FigureFrame } from '../../ui/figure-frame.tsx';

/** The media spend of a day by campaign, the largest first. */
export function DayOfSpend({ date }: { date: string }) {
  const figures = useFigures(accountStatementQuery({ start: date, end: date }));
  return (
    <FigureFrame
      figures={figures}
      what="The campaigns of the day"
      noticeMargin="sm"
      skeleton={<Skeleton height={48} m="sm" />}
    >
      <Stack component="ul" gap={4} m={0} py="xs" pl={42} pr="xs" aria-label="Spend by campaign">
        {figures.data?.campaigns.map(({ uuid, name, spend }) => (
          <Group key={uuid} component="li" justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Text size="sm">{formatMoney(spend)}</Text>
          </Group>
        ))}
      </Stack>
    </FigureFrame>
  );
}
