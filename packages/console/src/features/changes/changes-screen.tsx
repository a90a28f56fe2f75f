import type { Change } from '@bidwell/contract/change';
import { Group, Pagination, Paper, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatMoment } from '../../lib/format.ts';
import { accountQuery } from '../../lib/queries/account.ts';
import { CHANGES_PER_PAGE, changesQuery } from '../../lib/queries/changes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

const verbs: Record<Change['action'], string> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  start: 'started',
  pause: 'paused',
  decide: 'decided on',
};

/** Who changed what, when, and from what to what. */
export function ChangesScreen() {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const navigate = useNavigate();
  const { data: user } = useQuery(accountQuery);
  const { data: list } = useQuery({
    ...changesQuery(user?.company.uuid ?? '', page),
    enabled: Boolean(user),
  });
  const pages = Math.ceil((list?.total ?? 0) / CHANGES_PER_PAGE);
  return (
    <>
      <PageHeader title="Change log" description="Every change of your company’s things, newest first." />
      <Paper withBorder>
        {list?.changes.length === 0 && <EmptyState title="Nothing has changed yet" />}
        {list?.changes.map((change) => (
          <Stack
            key={change.uuid}
            gap={4}
            p="sm"
            style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}
          >
            <Group gap={6}>
              <Text size="sm">
                <b>{change.author}</b> {verbs[change.action]} {change.entity_type.replaceAll('_', ' ')}{' '}
                <b>{change.entity_name}</b>
              </Text>
              <Text size="xs" c="dimmed">
                {formatMoment(change.created_at)}
              </Text>
            </Group>
            {change.action !== 'create' && change.action !== 'delete' && (
              <FieldTable fields={change.fields} />
            )}
          </Stack>
        ))}
        {pages > 1 && (
          <Group p="sm" justify="flex-end">
            <Pagination
              size="sm"
              total={pages}
              value={page}
              onChange={(next) => void navigate({ to: '/changes', search: { page: next } })}
            />
          </Group>
        )}
      </Paper>
    </>
  );
}

function FieldTable({ fields }: { fields: Change['fields'] }) {
  return (
    <Table withRowBorders={false} verticalSpacing={2} fz="xs" layout="fixed" maw={760}>
      <Table.Tbody>
        {fields.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Td w={150} c="dimmed">
              {field.replaceAll('_', ' ')}
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <s>{shown(before)}</s> → {shown(after)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
