import type { OperatorAct } from '@bidwell/contract/operator-account';
import { Group, Paper, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatMoment } from '../../lib/format.ts';
import { ACTS_PER_PAGE, actsQuery } from '../../lib/queries/operator-accounts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pages } from '../../ui/pages.tsx';

/** /operator/log: what operators did, with person, reason, before and after. */
export function ActsScreen() {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const navigate = useNavigate();
  const { data: list, error } = useQuery(actsQuery(page));
  return (
    <>
      <PageHeader title="Log" description="Everything that operators did, newest first." />
      <Paper withBorder>
        {!list && !error && (
          <Stack p="md">
            {Array.from({ length: 6 }, (_, index) => (
              <Skeleton key={index} height={34} />
            ))}
          </Stack>
        )}
        {error && !list && <EmptyState title="The log cannot be loaded" text={error.message} />}
        {list?.acts.length === 0 && <EmptyState title="Nothing was done yet" />}
        {list?.acts.map((act) => (
          <Act key={act.uuid} act={act} />
        ))}
        <Pages
          label="Pages of the log"
          total={list?.total ?? 0}
          perPage={ACTS_PER_PAGE}
          page={page}
          onChange={(next) =>
            void navigate({ to: '/operator/log', search: { page: next === 1 ? undefined : next } })
          }
        />
      </Paper>
    </>
  );
}

function Act({
  act: { operator, action, entity, name, reason, before, after, created_at },
}: {
  act: OperatorAct;
}) {
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]),
  );
  return (
    <Stack gap={4} px="md" py="sm" style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{operator}</b> {action.toLowerCase()} {entity.replaceAll('_', ' ')} <b>{name}</b>
          {reason && <>: {reason}</>}
        </Text>
        <Text component="time" dateTime={created_at} size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {formatMoment(created_at)}
        </Text>
      </Group>
      {fields.length > 0 && (
        <Table fz="xs" withRowBorders={false} w="auto" aria-label="Changed fields">
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field}>
                <Table.Td c="dimmed" py={1}>
                  {field.replaceAll('_', ' ')}
                </Table.Td>
                <Table.Td py={1} style={{ overflowWrap: 'anywhere' }}>
                  {before && Object.hasOwn(before, field) && <>{valueText(before[field])} → </>}
                  {valueText(after?.[field])}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
