import type { Invoice } from '@bidwell/contract/invoices/schema';
import { dateAt, monthText } from '@bidwell/contract/lib/calendar';
import { Modal, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { issueInvoice } from '../../entities/operator/invoice-queries.ts';
import { failureText } from '../../lib/api/api-error.ts';
import { useTodayIn } from '../../lib/today.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import type { CompanyDialogProps } from './change-company-dialog.tsx';
import { invoiceableMonths } from './statement-values.ts';

interface IssueInvoiceDialogProps extends CompanyDialogProps {
  /** YYYY-MM of its last invoice; null without one. */
  lastMonth: string | null;
}

/** Dialog that issues the invoice of a company for a month that is over. */
export function IssueInvoiceDialog({ opened, company, lastMonth, onClose }: IssueInvoiceDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Issue an invoice for ${company.name}`}>
      {opened && <IssueForm company={company} lastMonth={lastMonth} onDone={onClose} />}
    </Modal>
  );
}

interface IssueFormProps extends Pick<IssueInvoiceDialogProps, 'company' | 'lastMonth'> {
  onDone: () => void;
}

function IssueForm({ company, lastMonth, onDone }: IssueFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const present = useTodayIn(company.time_zone).slice(0, 7);
  const months = invoiceableMonths({
    created: dateAt(Date.parse(company.created_at), company.time_zone),
    lastMonth,
    present,
  });
  const { form, busy, submit } = useSavedForm<{ month: string }, Invoice>({
    initialValues: { month: months[0] ?? '' },
    send: async ({ month }) => {
      setFailure(null);
      return issueInvoice(company.uuid, month);
    },
    onFailure: (error) => {
      setFailure(failureText(error));
      return true;
    },
    done: ({ number }) => `Invoice ${number} issued`,
    onSaved: onDone,
  });
  if (months.length === 0)
    return (
      <Text size="sm">
        {lastMonth === null
          ? 'No month of this company is over yet.'
          : `There is no month to invoice: the last invoice is for ${monthText(lastMonth)}, and the month after it is not over yet.`}
      </Text>
    );
  return (
    <DialogForm onSubmit={submit}>
      <Text size="sm">
        It has the spend of the month, and the spend of earlier months that is on no invoice yet. It cannot be
        changed or taken back, and earlier months can no longer be invoiced.
      </Text>
      <NativeSelect
        label="Month"
        data={months.map((value) => ({ value, label: monthText(value) }))}
        {...form.getInputProps('month')}
        error={failure}
      />
      <FormButtons action="Issue invoice" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
