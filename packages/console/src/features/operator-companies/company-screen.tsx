import { creditCompany, suspendCompany, viewCompany } from '@bidwell/contract/operator/endpoints';
import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { Alert, Anchor, Button, Group, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { isNotFound } from '../../lib/api/api-error.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { companyQuery } from '../../entities/companies/queries.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { NotFoundScreen } from '../../ui/layout/error-screens.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { FigureCard } from '../../ui/chart/figure-card.tsx';
import { MoneyMoveDialog } from '../../entities/companies/money-move-dialog.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { LongText } from '../../ui/layout/text.tsx';
import { CompanyDetails } from './company-details.tsx';
import { CompanyInvoices } from './company-invoices.tsx';
import { CompanyPeople } from './company-people.tsx';
import { CompanyTermsForm } from './company-terms-form.tsx';
import { CompanyTransactions } from './company-transactions.tsx';
import { SuspensionDialog } from './suspension-dialog.tsx';
import { ViewDialog } from './view-dialog.tsx';
import { AuditLog } from '../../entities/operator-accounts/audit-log.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** /operator/companies/$uuid: one company. */
export function CompanyScreen() {
  const { uuid } = useParams({ strict: false }) as { uuid: string };
  const figures = useLoadable(companyQuery(uuid));
  const company = knownData(figures);
  if (!company && isNotFound(figures.error)) return <NotFoundScreen />;
  return (
    <>
      <Anchor renderRoot={(props) => <Link to={'/operator/companies' as string} {...props} />} size="sm">
        <Group component="span" gap={4} display="inline-flex" mb="xs">
          <IconArrowLeft size={15} aria-hidden /> Companies
        </Group>
      </Anchor>
      <FigureFrame figures={figures} what="The company’s figures" skeleton={<Skeleton height={240} />}>
        {company && <Company company={company} />}
      </FigureFrame>
    </>
  );
}

function Company({ company }: { company: OperatorCompany }) {
  const figures = [
    ['Balance', company.balance],
    ['Credit limit', company.credit_limit],
    ['Spend today', company.spend_today],
    ['Spend, 7 days', company.spend_7_days],
    ['Spend, 30 days', company.spend_30_days],
  ] as const;
  return (
    <Stack>
      <PageHeader title={company.name} actions={<CompanyActions company={company} />} />
      <Group mt={-16}>
        <StatusBadge status={company.suspended ? 'Suspended' : 'Active'} />
      </Group>
      {company.suspended_at !== null && (
        <Alert color="red" title={`Suspended since ${formatMoment(company.suspended_at)}`}>
          <LongText>{company.suspension_reason || 'No reason was given.'}</LongText>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm">
        {figures.map(([label, dollars]) => (
          <FigureCard key={label} label={label} dollars={dollars} />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CompanyTermsForm
          key={`${company.credit_limit} ${company.margin_percent} ${company.notes}`}
          company={company}
        />
        <CompanyDetails company={company} />
      </SimpleGrid>
      <CompanyPeople company={company} />
      <CompanyTransactions company={company} />
      <CompanyInvoices company={company} />
      <CompanyAuditLog uuid={company.uuid} />
    </Stack>
  );
}

function CompanyActions({ company }: { company: OperatorCompany }) {
  const [kind, setKind] = useState<'credit' | 'debit'>('credit');
  const [isMoving, { open, close }] = useDisclosure(false);
  const move = (next: typeof kind) => {
    setKind(next);
    open();
  };
  const [isSuspending, setSuspending] = useState(false);
  const [isViewing, setViewing] = useState(false);
  const mayMove = useMayCall(creditCompany.permission);
  const mayView = useMayCall(viewCompany.permission);
  const maySuspend = useMayCall(suspendCompany.permission);
  return (
    <>
      {mayMove && (
        <>
          <Button onClick={() => move('credit')}>Credit</Button>
          <SecondaryButton onClick={() => move('debit')}>Debit</SecondaryButton>
        </>
      )}
      {mayView && <SecondaryButton onClick={() => setViewing(true)}>Log in as</SecondaryButton>}
      {maySuspend && (
        <SecondaryButton onClick={() => setSuspending(true)}>
          {company.suspended ? 'Resume' : 'Suspend'}
        </SecondaryButton>
      )}
      <MoneyMoveDialog opened={isMoving} kind={kind} company={company} onClose={close} />
      <ViewDialog opened={isViewing} company={company} onClose={() => setViewing(false)} />
      <SuspensionDialog opened={isSuspending} company={company} onClose={() => setSuspending(false)} />
    </>
  );
}

/** A page of the actions of operators on a company. */
function CompanyAuditLog({ uuid }: { uuid: string }) {
  return (
    <Section title="Log of operators" flush>
      <AuditLog
        companyUuid={uuid}
        pageParameter="acts"
        empty="No operator has done anything to this company yet"
      />
    </Section>
  );
}
