import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ACTS_PER_PAGE, actsQuery } from '../../lib/queries/operator-accounts.ts';
import { ActEntry } from '../../ui/act-entry.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pages } from '../../ui/pages.tsx';
import { Section } from '../../ui/section.tsx';

/** What operators did to a company, a page of it. */
export function CompanyActs({ uuid }: { uuid: string }) {
  const { acts: page = 1 } = useSearch({ strict: false }) as { acts?: number };
  const navigate = useNavigate();
  const { data: list, error } = useQuery(actsQuery(page, uuid));
  return (
    <Section title="Log of operators" flush>
      {!list && !error && <Skeleton height={80} />}
      {error && !list && <EmptyState title="The log cannot be loaded" text={error.message} />}
      {list?.acts.length === 0 && <EmptyState title="No operator did anything to this company yet" />}
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
            search: (before: object) => ({ ...before, acts: next === 1 ? undefined : next }),
            resetScroll: false,
          })
        }
      />
    </Section>
  );
}
