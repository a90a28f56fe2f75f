import type { OperatorCompany } from '@bidwell/contract/operator';
import { Button } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import {
  COMPANY_TRANSACTIONS_PER_PAGE,
  companyTransactionsQuery,
} from '../../lib/queries/operator-companies.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pages } from '../../ui/pages.tsx';
import { TransactionsTable } from '../../ui/transactions-table.tsx';
import { Section } from '../../ui/section.tsx';

/** A company's transactions, a page of them, and the way to its statements. */
export function CompanyTransactions({ company: { uuid } }: { company: OperatorCompany }) {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const navigate = useNavigate();
  const { data: list, error } = useQuery(companyTransactionsQuery(uuid, page));
  return (
    <Section
      title="Transactions"
      flush
      actions={
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconFileText size={15} />}
          renderRoot={(props) => (
            <Link
              to={'/operator/companies/$uuid/statement' as string}
              params={{ uuid } as never}
              {...props}
            />
          )}
        >
          Statements
        </Button>
      }
    >
      {error && !list ? (
        <EmptyState title="The transactions cannot be loaded" text={error.message} />
      ) : list?.total === 0 ? (
        <EmptyState title="No transactions yet" />
      ) : (
        <TransactionsTable transactions={list?.transactions} />
      )}
      <Pages
        label="Pages of transactions"
        total={list?.total ?? 0}
        perPage={COMPANY_TRANSACTIONS_PER_PAGE}
        page={page}
        onChange={(next) =>
          void navigate({
            to: '.',
            search: (before: object) => ({ ...before, page: next === 1 ? undefined : next }),
            resetScroll: false,
          })
        }
      />
    </Section>
  );
}
