import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { IconFileText } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { COMPANY_TRANSACTIONS_PER_PAGE, companyTransactionsQuery } from '../../entities/companies/queries.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Pages } from '../../ui/layout/pages.tsx';
import { TransactionsTable } from '../../entities/finance/transactions-table.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** A company's transactions, a page of them, and the way to its statements. */
export function CompanyTransactions({ company: { uuid } }: { company: OperatorCompany }) {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const navigate = useNavigate();
  const figures = useLoadable(companyTransactionsQuery(uuid, page));
  const list = knownData(figures);
  return (
    <Section
      title="Transactions"
      flush
      actions={
        <SmallButton
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
        </SmallButton>
      }
    >
      <FigureFrame figures={figures} what="The transactions" noticeMargin="sm">
        {list?.total === 0 ? (
          <EmptyState title="No transactions yet" />
        ) : (
          <TransactionsTable transactions={list?.transactions} />
        )}
      </FigureFrame>
      <Pages
        label="Pages of transactions"
        total={list?.total}
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
