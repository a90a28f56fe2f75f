import type { Audience, AudienceImport } from '@bidwell/contract/audiences/schema';
import { List, Stack, Text } from '@mantine/core';
import { audienceImportsQuery } from '../../entities/audiences/queries.ts';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import {
  KINDS,
  STATES,
  importText,
  lineText,
  matchText,
  outcomeText,
  refreshedText,
  userText,
} from './audience-text.ts';

/** The figures of an audience, what uses it, and its latest imports. */
export function AudienceDetails({ audience }: { audience: Audience }) {
  const imports = useLoadable(audienceImportsQuery(audience.uuid));
  const { used_by: users } = audience;
  return (
    <Stack>
      <Text size="sm">
        {KINDS[audience.kind]}, {STATES[audience.state].toLowerCase()}. {formatNumber(audience.size)} ids,
        last refreshed: {refreshedText(audience)}.
      </Text>
      {(audience.matches !== null || users.length > 0) && <Text size="sm">{matchText(audience)}</Text>}
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          Used by
        </Text>
        {users.length === 0 ? (
          <Muted>No ad set or target uses it.</Muted>
        ) : (
          <List size="sm">
            {users.map((user) => (
              <List.Item key={user.uuid}>{userText(user)}</List.Item>
            ))}
          </List>
        )}
      </Stack>
      <RecordTable
        label="Imports"
        what="The imports"
        empty={<Muted>Nothing was imported yet.</Muted>}
        columns={importColumns}
        rows={imports}
        rowId={({ uuid }) => uuid}
        cards
      />
    </Stack>
  );
}

const importColumns: RecordColumn<AudienceImport>[] = [
  { header: 'Time', cell: ({ created_at: at }) => formatMoment(at) },
  { header: 'Import', cell: importText },
  { header: 'Outcome', wrap: 'anywhere', cell: (one) => <Outcome one={one} /> },
];

function Outcome({ one }: { one: AudienceImport }) {
  const others = one.invalid - one.invalid_lines.length;
  return (
    <>
      <Text size="sm" {...(one.state === 'failed' && { c: 'var(--mantine-color-red-text)' })}>
        {outcomeText(one)}.
      </Text>
      {one.invalid_lines.map((line) => (
        <Caption key={line.line}>{lineText(line)}</Caption>
      ))}
      {one.invalid_lines.length > 0 && others > 0 && <Caption>and {formatNumber(others)} more</Caption>}
    </>
  );
}
