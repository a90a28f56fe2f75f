import type { Invoice } from '@bidwell/contract/invoices/schema';
import { dateAt, monthText } from '@bidwell/contract/lib/calendar';
import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { Modal, NativeSelect, Text } from '@mantine/core';
import { issueInvoice } from '../../entities/operator/invoice-queries.ts';
import { useTodayIn } from '../../lib/today.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { monthsSince } from './statement-values.ts';

interface IssueInvoiceDialogProps {
  opened: boolean;
  company: OperatorCompany;
  onClose: () => void;
}

/** Dialog that issues the invoice of a company for a month that is over. */
export function IssueInvoiceDialog({ opened, company, onClose }: IssueInvoiceDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Issue an invoice for ${company.name}`} centered>
      {opened && <IssueForm company={company} onDone={onClose} />}
    </Modal>
  );
}

function IssueForm({ company, onDone }: { company: OperatorCompany; onDone: () => void }) {
  const present = useTodayIn(company.time_zone).slice(0, 7);
  const months = monthsSince(dateAt(Date.parse(company.created_at), company.time_zone), present).filter(
    (month) => month < present,
  );
  const { form, busy, submit } = useSavedForm<{ month: string }, Invoice>({
    initialValues: { month: months[0] ?? '' },
    send: ({ month }) => issueInvoice(company.uuid, month),
    done: ({ number }) => `Invoice ${number} issued`,
    onSaved: onDone,
  });
  if (months.length === 0) return <Text size="sm">No month of this company is over yet.</Text>;
  return (
    <DialogForm onSubmit={submit}>
      <Text size="sm">
        It has the spend of the month and what came late for earlier ones, and cannot be changed or taken
        back. Months before it can no longer be invoiced.
      </Text>
      <NativeSelect
        label="Month"
        data={months.map((value) => ({ value, label: monthText(value) }))}
        {...form.getInputProps('month')}
      />
      <FormButtons action="Issue invoice" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
