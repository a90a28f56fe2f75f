import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ACTS_PER_PAGE, actsQuery } from '../lib/queries/operator-accounts.ts';
import { ActEntry } from './act-entry.tsx';
import { EmptyState } from './empty-state.tsx';
import { Pages } from './pages.tsx';

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
  const { data: list, error } = useQuery(actsQuery(page, companyUuid));
  return (
    <>
      {!list && !error && (
        <Stack p="md">
          {Array.from({ length: 6 }, (_, index) => (
            <Skeleton key={index} height={34} />
          ))}
        </Stack>
      )}
      {error && !list && <EmptyState title="The log cannot be loaded" text={error.message} />}
      {list?.acts.length === 0 && <EmptyState title={empty} />}
      {list?.acts.map((act) => (
        <ActEntry key={act.uuid} act={act} />
      ))}
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
