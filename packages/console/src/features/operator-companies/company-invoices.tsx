import { issueInvoice as issueEndpoint } from '@bidwell/contract/operator/invoice-endpoints';
import type { Invoice } from '@bidwell/contract/invoices/schema';
import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group } from '@mantine/core';
import { IconDownload, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { InvoicesTable } from '../../entities/finance/invoices-table.tsx';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import {
  COMPANY_INVOICES_PER_PAGE,
  companyInvoicesQuery,
  invoiceAddress,
} from '../../entities/operator/invoice-queries.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Pages } from '../../ui/layout/pages.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { CreditNoteDialog } from './credit-note-dialog.tsx';
import { IssueInvoiceDialog } from './issue-invoice-dialog.tsx';

/** A company's invoices and credit notes, a page of them, and the ways to issue both. */
export function CompanyInvoices({ company }: { company: OperatorCompany }) {
  const [page, setPage] = useState(1);
  const [isIssuing, setIssuing] = useState(false);
  const [corrected, setCorrected] = useState<Invoice | null>(null);
  const figures = useLoadable(companyInvoicesQuery(company.uuid, page));
  const list = knownData(figures);
  const mayIssue = useMayCall(issueEndpoint.permission);
  return (
    <Section
      title="Invoices"
      flush
      actions={
        mayIssue && (
          <SmallButton
            leftSection={<IconPlus size={15} />}
            disabled={list === undefined}
            onClick={() => setIssuing(true)}
          >
            Issue invoice
          </SmallButton>
        )
      }
    >
      <FigureFrame figures={figures} what="The invoices" noticeMargin="sm">
        {list?.total === 0 ? (
          <EmptyState title={screenMessages.invoicesEmpty} />
        ) : (
          <InvoicesTable
            invoices={list?.invoices}
            renderActions={(invoice) => (
              <InvoiceActions invoice={invoice} onCorrect={mayIssue ? setCorrected : undefined} />
            )}
          />
        )}
      </FigureFrame>
      <Pages
        label="Pages of invoices"
        total={list?.total}
        perPage={COMPANY_INVOICES_PER_PAGE}
        page={page}
        onChange={setPage}
      />
      {list && (
        <IssueInvoiceDialog
          opened={isIssuing}
          company={company}
          lastMonth={list.last_month}
          onClose={() => setIssuing(false)}
        />
      )}
      <CreditNoteDialog companyUuid={company.uuid} invoice={corrected} onClose={() => setCorrected(null)} />
    </Section>
  );
}

function InvoiceActions({
  invoice,
  onCorrect,
}: {
  invoice: Invoice;
  onCorrect: ((invoice: Invoice) => void) | undefined;
}) {
  const { uuid, number, kind, total, credited } = invoice;
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {onCorrect && kind === 'invoice' && credited < total && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Credit note for ${number}`}
          onClick={() => onCorrect(invoice)}
        >
          Credit note
        </Button>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconDownload size={15} />}
        component="a"
        href={invoiceAddress(uuid)}
        download={`${number}.pdf`}
        aria-label={`PDF of ${number}`}
      >
        PDF
      </Button>
    </Group>
  );
}
