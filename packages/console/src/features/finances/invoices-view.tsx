import { changeBillingDetails } from '@bidwell/contract/invoices/endpoints';
import type { Invoice } from '@bidwell/contract/invoices/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Modal, Paper, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconPencil } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  INVOICES_PER_PAGE,
  billingDetailsQuery,
  downloadInvoice,
  invoicesQuery,
} from '../../entities/finance/invoice-queries.ts';
import { InvoicesTable } from '../../entities/finance/invoices-table.tsx';
import { accountQuery } from '../../lib/api/account.ts';
import { knownData, useKnown, useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Pages } from '../../ui/layout/pages.tsx';
import { LongText } from '../../ui/layout/text.tsx';
import { BillingDetailsForm } from './billing-details-form.tsx';
import { mayAs } from '../../lib/api/use-may.ts';

/** The company's invoices and credit notes, and its billing details. */
export function InvoicesView() {
  const { page = 1 } = useSearch({ strict: false }) as { page?: number };
  const navigate = useNavigate();
  const figures = useLoadable(invoicesQuery(page));
  const list = knownData(figures);
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <BillingDetailsBar />
      <FigureFrame figures={figures} what="The invoices" noticeMargin="sm">
        {list?.total === 0 ? (
          <EmptyState title={screenMessages.invoicesEmpty} text={screenMessages.invoicesText} />
        ) : (
          <InvoicesTable
            invoices={list?.invoices}
            renderActions={(invoice) => <DownloadButton invoice={invoice} />}
          />
        )}
      </FigureFrame>
      <Pages
        label="Pages of invoices"
        total={list?.total}
        perPage={INVOICES_PER_PAGE}
        page={page}
        onChange={(next) =>
          void navigate({
            to: '/finances',
            search: { view: 'invoices', ...(next > 1 && { page: next }) },
          })
        }
      />
    </Paper>
  );
}

/** The recipient of invoices, with a button for users who may change it. */
function BillingDetailsBar() {
  const user = useKnown(accountQuery);
  const billing = useLoadable(billingDetailsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const mayChange = user !== undefined && mayAs(user.role, changeBillingDetails.companyPermission);
  return (
    <FigureFrame
      figures={billing}
      what="The billing details"
      noticeMargin="sm"
      skeleton={<Skeleton height={36} m="sm" maw={360} />}
    >
      {(saved) => (
        <Group p="sm" justify="space-between" mih={60}>
          <LongText>
            {saved.billing_details
              ? `Invoices are for ${saved.billing_details.legal_name}.`
              : screenMessages.billingDetailsMissing}{' '}
            {saved.needs_email_confirmation &&
              screenMessages.billingAddressUnconfirmed(saved.billing_details?.email ?? '')}
          </LongText>
          {mayChange && (
            <SecondaryButton leftSection={<IconPencil size={16} />} onClick={open}>
              Billing details
            </SecondaryButton>
          )}
          <Modal opened={opened} onClose={close} title="Billing details">
            <BillingDetailsForm saved={saved} onDone={close} />
          </Modal>
        </Group>
      )}
    </FigureFrame>
  );
}

function DownloadButton({ invoice }: { invoice: Invoice }) {
  const { save, busy } = useSave({ send: downloadInvoice });
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconDownload size={15} />}
      aria-label={`PDF of ${invoice.number}`}
      loading={busy}
      onClick={() => save(invoice)}
    >
      PDF
    </Button>
  );
}
