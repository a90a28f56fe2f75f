import { Skeleton, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFigures } from '../../lib/figures.ts';
import { ACTS_PER_PAGE, actsQuery } from './queries.ts';
import { ActEntry } from './audit-entry.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Pages } from '../../ui/layout/pages.tsx';

interface ActsListProps {
  /** The company whose acts are listed; all acts without one. */
  companyUuid?: string;
  /** The search parameter that holds the page. */
  pageParameter: 'page' | 'acts';
  /** Said where there are none. */
  empty: string;
}

/** A page of the log of operators' acts, newest first. */
export function ActsList({ companyUuid, pageParameter, empty }: ActsListProps) {
  const search: Partial<Record<string, number>> = useSearch({ strict: false });
  const page = search[pageParameter] ?? 1;
  const navigate = useNavigate();
  const figures = useFigures(actsQuery(page, companyUuid));
  const list = figures.data;
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
        {list?.acts.map((act) => (
          <ActEntry key={act.uuid} act={act} />
        ))}
      </FigureFrame>
      <Pages
        label="Pages of the log"
        total={list?.total ?? 0}
        perPage={ACTS_PER_PAGE}
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
