import { InvoiceRate } from '@bidwell/contract/invoices/schema';
import { NumberInput, TextInput } from '@mantine/core';
import { CurrencyInput } from '../../entities/finance/code-inputs.tsx';
import { saveInvoiceRate } from '../../entities/operator/invoice-queries.ts';
import { useTodayIn } from '../../lib/today.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';

interface RateValues extends Record<string, unknown> {
  currency: string;
  date: string;
  /** Units of the currency for one dollar. */
  per_dollar: number | '';
  source: string;
}

/** Form of the rate of a currency on a day. */
export function InvoiceRateForm({ onDone }: { onDone: () => void }) {
  const today = useTodayIn('UTC');
  const { form, busy, submit } = useSavedForm<RateValues>({
    initialValues: { currency: '', date: today, per_dollar: '', source: '' },
    schema: InvoiceRate,
    send: (values) => saveInvoiceRate(InvoiceRate.parse(values)),
    done: 'Rate saved',
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      <CurrencyInput
        label="Currency"
        required
        {...form.getInputProps('currency')}
        value={form.values.currency}
      />
      <TextInput label="Day" type="date" withAsterisk {...form.getInputProps('date')} />
      <NumberInput
        label="For one dollar"
        description="Units of the currency that a dollar is worth."
        decimalScale={6}
        withAsterisk
        {...form.getInputProps('per_dollar')}
        onChange={(input) => form.setFieldValue('per_dollar', typeof input === 'number' ? input : '')}
      />
      <TextInput
        label="Source"
        description="Shown on invoices, such as European Central Bank."
        withAsterisk
        {...form.getInputProps('source')}
      />
      <FormButtons action="Save" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
