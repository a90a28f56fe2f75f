import { List } from '@mantine/core';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { Muted } from '../../ui/layout/text.tsx';

interface UncountedListProps<Reason extends string> {
  rows: readonly { reason: Reason; count: number; last_at: string }[];
  /** What a reason means, in a sentence. */
  textOf: (reason: Reason) => string;
  label: string;
}

/** Postbacks that do not count, by reason, with their number and the time of the last one. */
export function UncountedList<Reason extends string>({ rows, textOf, label }: UncountedListProps<Reason>) {
  return (
    <List size="sm" spacing={6} aria-label={label}>
      {rows.map(({ reason, count, last_at: at }) => (
        <List.Item key={reason}>
          {textOf(reason)}{' '}
          <Muted span>
            {formatNumber(count)}, the last one {formatMoment(at)}
          </Muted>
        </List.Item>
      ))}
    </List>
  );
}
