import { Skeleton, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { AUDIT_ENTRIES_PER_PAGE, auditLogQuery } from './queries.ts';
import { AuditEntryRow } from './audit-entry.tsx';
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
