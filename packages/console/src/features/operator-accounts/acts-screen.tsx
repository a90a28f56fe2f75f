import { Paper, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ACTS_PER_PAGE, actsQuery } from '../../lib/queries/operator-accounts.ts';
import { ActEntry } from '../../ui/act-entry.tsx';
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
          <ActEntry key={act.uuid} act={act} />
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
