import { creditCompany } from '@bidwell/contract/operator/endpoints';
import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { MoneyMoveDialog } from '../../entities/companies/money-move-dialog.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { InvoicesSection } from './invoices-section.tsx';
import { LedgerCheckSection } from './ledger-check-section.tsx';
import { PaymentInstructionsSection } from './payment-instructions-section.tsx';
import { RevenueSection } from './revenue-section.tsx';
import { StatementSection } from './statement-section.tsx';
import { TopUpsSection } from './top-ups-section.tsx';

/** /operator/money: requested top-ups, revenue, statements, invoices and the check of the ledger. */
export function MoneyScreen() {
  const mayMove = useMayCall(creditCompany.permission);
  const [kind, setKind] = useState<'credit' | 'debit'>('credit');
  const [isMoving, { open, close }] = useDisclosure(false);
  const move = (next: typeof kind) => {
    setKind(next);
    open();
  };
  return (
    <>
      <PageHeader
        title="Money"
        description="What companies pay in and spend, and the margin in it, in US dollars."
        actions={
          mayMove && (
            <>
              <Button onClick={() => move('credit')}>Credit</Button>
              <SecondaryButton onClick={() => move('debit')}>Debit</SecondaryButton>
            </>
          )
        }
      />
      <Stack>
        <TopUpsSection />
        <PaymentInstructionsSection />
        <RevenueSection />
        <StatementSection />
        <InvoicesSection />
        <LedgerCheckSection />
      </Stack>
      <MoneyMoveDialog opened={isMoving} kind={kind} onClose={close} />
    </>
  );
}
