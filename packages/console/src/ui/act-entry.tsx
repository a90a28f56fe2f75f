import { bytesText } from '@bidwell/contract/lib/bytes';
import type { OperatorAct } from '@bidwell/contract/operator-accounts/schema';
import { Group, Stack, Table, Text } from '@mantine/core';
import { formatMoment, formatMoney } from '../lib/format.ts';

/** An act of an operator in a log: who did what and why, and the fields that it changed. */
export function ActEntry({
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
                  {field.replace(BYTES, '').replaceAll('_', ' ')}
                </Table.Td>
                <Table.Td py={1} style={{ overflowWrap: 'anywhere' }}>
                  {before && Object.hasOwn(before, field) && <>{valueText(field, before[field])} → </>}
                  {valueText(field, after?.[field])}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}

const BYTES = /_bytes$/;
const DOLLARS: ReadonlySet<string> = new Set(['amount', 'balance', 'credit_limit']);

function valueText(field: string, value: unknown): string {
  if (value === null && field === 'storage_quota_bytes') return 'by the settings';
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'number' && BYTES.test(field)) return bytesText(value);
  if (typeof value === 'number' && DOLLARS.has(field)) return formatMoney(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
