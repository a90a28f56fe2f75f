import type { Algorithm } from '@bidwell/contract/adsets/goals';
import { type SuggestedFactor, suggestedFactor } from '@bidwell/contract/adsets/multiplier-suggestion';
import {
  type BidMultiplier,
  type MultiplierDimension,
  dimensionName,
} from '@bidwell/contract/adsets/multipliers';
import { addDays } from '@bidwell/contract/lib/calendar';
import type { DefaultReport } from '@bidwell/contract/reports/schema';
import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { levelQuery } from '../../../../entities/reports/queries.ts';
import { formatMoney, formatNumber } from '../../../../lib/format/format.ts';
import { mapped, useLoadable } from '../../../../lib/loadable.ts';
import { useToday } from '../../../../lib/today.ts';
import { FigureFrame } from '../../../../ui/chart/figure-frame.tsx';
import { SmallButton } from '../../../../ui/layout/buttons.tsx';

/** Days of reports from which factors are suggested. */
const DAYS = 30;
const LEVELS = [
  ['country', 'country'],
  ['exchange', 'exchange'],
  ['creative_type', 'format'],
] as const;

interface SuggestedMultipliersProps {
  adset: string;
  algorithm: Algorithm | null;
  values: readonly BidMultiplier[];
  onUse: (multipliers: BidMultiplier[]) => void;
}

/** Factors by which an install of a country, exchange or format would cost what it costs in the ad set. Nothing is applied by itself. */
export function SuggestedMultipliers({ adset, algorithm, values, onUse }: SuggestedMultipliersProps) {
  const [isOpen, setOpen] = useState(false);
  if (algorithm !== 'Manual CPM')
    return (
      <Text size="xs" c="dimmed">
        Factors are suggested for Manual CPM only: the other strategies bid by expected installs already.
      </Text>
    );
  if (!isOpen)
    return (
      <SmallButton style={{ alignSelf: 'flex-start' }} onClick={() => setOpen(true)}>
        Suggest from the last {DAYS} days
      </SmallButton>
    );
  const use = (added: BidMultiplier) => {
    const others = values.filter(
      ({ dimension, value }) => dimension !== added.dimension || value !== added.value,
    );
    onUse([...others, added]);
  };
  return (
    <Stack gap="xs">
      {LEVELS.map(([level, dimension]) => (
        <Suggestions key={level} adset={adset} level={level} dimension={dimension} onUse={use} />
      ))}
    </Stack>
  );
}

interface Suggestion {
  value: string;
  name: string;
  cpi: number | null;
  suggested: SuggestedFactor;
}

interface SuggestionsProps {
  adset: string;
  level: (typeof LEVELS)[number][0];
  dimension: MultiplierDimension;
  onUse: (multiplier: BidMultiplier) => void;
}

function Suggestions({ adset, level, dimension, onUse }: SuggestionsProps) {
  const end = useToday();
  const report = useLoadable({
    ...levelQuery({ start: addDays(end, 1 - DAYS), end }, [level], { adset }),
    refetchInterval: false,
  });
  const name = dimensionName(dimension);
  return (
    <FigureFrame
      figures={mapped(report, suggestionsOf)}
      what={`The suggestions by ${name.toLowerCase()}`}
      skeleton={<Skeleton height={60} />}
    >
      {(found) =>
        found.length === 0 ? (
          <Text size="xs" c="dimmed">
            By {name.toLowerCase()}: no difference that the installs of {DAYS} days show.
          </Text>
        ) : (
          <Table fz="xs" maw={620} aria-label={`Suggested factors by ${name.toLowerCase()}`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{name}</Table.Th>
                <Table.Th ta="right">CPI</Table.Th>
                <Table.Th ta="right">Factor</Table.Th>
                <Table.Th ta="right">80 of 100 cases</Table.Th>
                <Table.Td />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.map((one) => (
                <Table.Tr key={one.value}>
                  <Table.Td>{one.name}</Table.Td>
                  <Table.Td ta="right">{formatMoney(one.cpi)}</Table.Td>
                  <Table.Td ta="right">×{formatNumber(one.suggested.factor, 2)}</Table.Td>
                  <Table.Td ta="right">
                    {formatNumber(one.suggested.low, 2)}–{formatNumber(one.suggested.high, 2)}
                  </Table.Td>
                  <Table.Td ta="right">
                    <SmallButton
                      aria-label={`Use the factor of ${one.name}`}
                      onClick={() => onUse({ dimension, value: one.value, factor: one.suggested.factor })}
                    >
                      Use
                    </SmallButton>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )
      }
    </FigureFrame>
  );
}

/** The parts whose cost per install clearly differs from the ad set's, the most different first. */
function suggestionsOf({ rows, total }: DefaultReport): Suggestion[] {
  return rows
    .flatMap(({ value, name, spends, installs, cpi }) => {
      const all = { spend: total.spends, installs: total.installs };
      const suggested = value === '' ? null : suggestedFactor({ spend: spends, installs }, all);
      return suggested?.isClear && suggested.factor !== 1 ? [{ value, name, cpi, suggested }] : [];
    })
    .toSorted((a, b) => Math.abs(Math.log(b.suggested.factor)) - Math.abs(Math.log(a.suggested.factor)));
}
