import type { ComparedChange, ComparedSide } from '@bidwell/contract/campaign-reports/changes';
import type { Rate } from '@bidwell/contract/lib/rate';
import { Group, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { kindOf, verbOf } from '../../../entities/changes/change-values.ts';
import { entityLink } from '@bidwell/contract/changes/entity-link';
import { formatMoment, formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { useToday } from '../../../lib/today.ts';
import { ChangedFields, FieldsLeftOut } from '../../../entities/changes/changed-fields.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { UndoButton } from '../../../entities/changes/undo-button.tsx';
import { Caption, LongText, Muted } from '../../../ui/layout/text.tsx';
import {
  type Compared,
  budgetDaysText,
  changeLine,
  notComparedText,
  outcomeText,
  sidesText,
} from './change-text.ts';
import classes from './changes-tab.module.css';
import { RateCell } from '../rate-cell.tsx';

interface ChangeEntryProps {
  change: ComparedChange;
  /** Whether its mark was chosen. */
  isCurrent: boolean;
}

/** A change of a campaign or an ad set, with the figures before and after it. */
export function ChangeEntry({ change, isCurrent }: ChangeEntryProps) {
  const { comparison, together } = change;
  const budgetDays = budgetDaysText(change, useToday());
  return (
    <li className={classes['entry']} tabIndex={-1} data-current={isCurrent || undefined}>
      <div className={classes['what']}>
        <What change={change} />
      </div>
      <div className={classes['figures']}>
        {comparison?.outcome === 'compared' ? (
          <Comparison
            label={`Before and after: ${changeLine(change)}`}
            compared={comparison}
            together={together}
          />
        ) : (
          <Muted>{notComparedText(change)}</Muted>
        )}
        {budgetDays !== null && <Caption mt={4}>{budgetDays}</Caption>}
      </div>
    </li>
  );
}

function What({ change }: { change: ComparedChange }) {
  const { action, author, created_at: at, entity_name: name, entity_type: type, entity_uuid: uuid } = change;
  const link = entityLink(type, uuid);
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <div>
          <LongText>
            <b>{author}</b> {verbOf(change)} {kindOf(change)}{' '}
            {link ? (
              <AnchorLink {...link} size="sm" fw={600}>
                {name}
              </AnchorLink>
            ) : (
              <b>{name}</b>
            )}
          </LongText>
          <Caption component="time" dateTime={at}>
            {formatMoment(at)}
          </Caption>
        </div>
        <UndoButton change={change} />
      </Group>
      {change.fields_left_out && <FieldsLeftOut />}
      {action !== 'create' && <ChangedFields fields={change.fields} />}
    </>
  );
}

function Comparison({ label, compared, together }: { label: string; compared: Compared; together: number }) {
  const { before, after } = compared;
  return (
    <>
      <Text size="sm" mb={4}>
        {outcomeText(compared)}
      </Text>
      <Table withRowBorders={false} verticalSpacing={2} fz="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" fw={400} c="dimmed">
              {sidesText(compared, together)}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Before
            </Table.Th>
            <Table.Th scope="col" ta="right">
              After
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {figures.map(({ name, cell }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                {name}
              </Table.Th>
              <Table.Td ta="right">{cell(before)}</Table.Td>
              <Table.Td ta="right">{cell(after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

const figures: readonly { name: string; cell: (side: ComparedSide) => ReactNode }[] = [
  { name: 'Impressions per 24 hours', cell: (side) => formatNumber(side.impressions_per_day) },
  { name: 'Spend per 24 hours', cell: (side) => formatMoney(side.spend_per_day) },
  { name: 'CTR, %', cell: (side) => <KnownRate rate={side.ctr_rate} /> },
  { name: 'Installs', cell: (side) => formatNumber(side.installs) },
  { name: 'IPM', cell: (side) => <KnownRate rate={side.ipm_rate} /> },
  { name: 'CPI', cell: (side) => (side.cpi === null ? <NotEnough /> : formatMoney(side.cpi)) },
];

const KnownRate = ({ rate }: { rate: Rate | null }) => (rate ? <RateCell rate={rate} /> : <NotEnough />);

function NotEnough() {
  return <Caption span>not enough data yet</Caption>;
}
