import { CreditNoteInput, type Invoice } from '@bidwell/contract/invoices/schema';
import { Modal, Text, TextInput } from '@mantine/core';
import { issueCreditNote } from '../../entities/operator/invoice-queries.ts';
import { formatMoney } from '../../lib/format/format.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';

interface CreditNoteDialogProps {
  companyUuid: string;
  /** The invoice to correct; null while the dialog is closed. */
  invoice: Invoice | null;
  onClose: () => void;
}

/** Dialog that issues a credit note for an invoice. */
export function CreditNoteDialog({ companyUuid, invoice, onClose }: CreditNoteDialogProps) {
  return (
    <Modal opened={invoice !== null} onClose={onClose} title={`Credit note for ${invoice?.number ?? ''}`}>
      {invoice && <CreditNoteForm companyUuid={companyUuid} invoice={invoice} onDone={onClose} />}
    </Modal>
  );
}

interface NoteValues extends Record<string, unknown> {
  /** Dollars without tax. */
  net: number | null;
  reason: string;
}

function CreditNoteForm({
  companyUuid,
  invoice,
  onDone,
}: {
  companyUuid: string;
  invoice: Invoice;
  onDone: () => void;
}) {
  const { form, busy, submit } = useSavedForm<NoteValues, Invoice>({
    initialValues: { net: null, reason: '' },
    schema: CreditNoteInput,
    send: (values) => issueCreditNote(companyUuid, invoice.uuid, CreditNoteInput.parse(values)),
    done: ({ number }) => `Credit note ${number} issued`,
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      <Text size="sm">
        {invoice.number} is over {formatMoney(invoice.net)} without tax. A credit note cannot be changed or
        taken back, and moves no money: credit the company as well if its balance should get the amount.
      </Text>
      <MoneyInput
        label="Amount without tax"
        required
        autoFocus
        {...form.getInputProps('net')}
        value={form.values.net}
      />
      <TextInput
        label="Reason"
        description="The company sees it on the credit note."
        maxLength={200}
        withAsterisk
        {...form.getInputProps('reason')}
      />
      <FormButtons action="Issue credit note" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
