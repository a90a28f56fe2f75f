import { bytesText } from '@bidwell/contract/lib/bytes';
import type { AuditEntry } from '@bidwell/contract/operator-accounts/schema';
import { Group, Skeleton, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatMoment, formatMoney } from '../../lib/format/format.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { Caption, LongText } from '../../ui/layout/text.tsx';
import { FieldLine, FieldLines } from '../changes/changed-fields.tsx';
import { AUDIT_ENTRIES_PER_PAGE, auditLogQuery } from './queries.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Pages } from '../../ui/layout/pages.tsx';

interface AuditLogProps {
  /** The company whose entries are listed; all entries without one. */
  companyUuid?: string;
  /** The search parameter that holds the page. */
  pageParameter: 'page' | 'acts';
  /** Said where there are none. */
  empty: string;
}

/** A page of the audit log of operators, newest first. */
export function AuditLog({ companyUuid, pageParameter, empty }: AuditLogProps) {
  const search: Partial<Record<string, number>> = useSearch({ strict: false });
  const page = search[pageParameter] ?? 1;
  const navigate = useNavigate();
  const figures = useLoadable(auditLogQuery(page, companyUuid));
  const list = knownData(figures);
  return (
    <>
      <FigureFrame
        figures={figures}
        what="The entries"
        noticeMargin="sm"
        skeleton={
          <Stack p="md">
            {Array.from({ length: 6 }, (_, index) => (
              <Skeleton key={index} height={34} />
            ))}
          </Stack>
        }
      >
        {list?.acts.length === 0 && <EmptyState title={empty} />}
        {list?.acts.map((entry) => (
          <AuditEntryRow key={entry.uuid} entry={entry} />
        ))}
      </FigureFrame>
      <Pages
        label="Pages of the log"
        total={list?.total}
        perPage={AUDIT_ENTRIES_PER_PAGE}
        page={page}
        onChange={(next) =>
          void navigate({
            to: '.',
            search: ((before: object) => ({
              ...before,
              [pageParameter]: next === 1 ? undefined : next,
            })) as never,
            resetScroll: pageParameter === 'page',
          })
        }
      />
    </>
  );
}

/** An entry of the audit log of operators: who did what and why, and the fields that it changed. */
function AuditEntryRow({
  entry: { operator, action, entity, name, reason, before, after, created_at },
}: {
  entry: AuditEntry;
}) {
  const fields = Object.keys({ ...before, ...after }).filter(
    (field) => JSON.stringify(before?.[field]) !== JSON.stringify(after?.[field]),
  );
  return (
    <Stack gap={4} px="md" py="sm" style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <LongText>
          <b>{authors.get(operator) ?? operator}</b> {action.toLowerCase()} {entity.replaceAll('_', ' ')}{' '}
          <b>{name}</b>
          {reason && <>: {reason}</>}
        </LongText>
        <Caption component="time" dateTime={created_at} style={{ whiteSpace: 'nowrap' }}>
          {formatMoment(created_at)}
        </Caption>
      </Group>
      {fields.length > 0 && (
        <FieldLines>
          {fields.map((field) => (
            <FieldLine key={field} field={field.replace(BYTES, '')}>
              {before && Object.hasOwn(before, field) && <>{valueText(field, before[field])} → </>}
              {valueText(field, after?.[field])}
            </FieldLine>
          ))}
        </FieldLines>
      )}
    </Stack>
  );
}

/** Authors of entries that are no person. */
const authors = new Map([
  ['token', 'Operator token'],
  ['server', 'Server'],
]);
const BYTES = /_bytes$/;
const DOLLARS: ReadonlySet<string> = new Set(['amount', 'balance', 'credit_limit']);

function valueText(field: string, value: unknown): string {
  if (value === null && field === 'storage_quota_bytes') return 'by the settings';
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'number' && BYTES.test(field)) return bytesText(value);
  if (typeof value === 'number' && DOLLARS.has(field)) return formatMoney(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
