import { BillingDetails } from '@bidwell/contract/invoices/schema';
import { TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { saveBillingDetails } from '../../entities/finance/invoice-queries.ts';
import { CurrencyInput, PartyFields, type PartyValues } from '../../entities/finance/party-fields.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';

interface DetailsValues extends PartyValues, Record<string, unknown> {
  email: string;
  currency: string;
}

/** The details as the API takes them: empty fields are none. */
const inputOf = ({ email, currency, ...party }: DetailsValues) => ({
  ...party,
  email: email.trim() === '' ? null : email.trim(),
  currency: currency === '' ? null : currency,
});

const validate = schemaResolver(BillingDetails, { sync: true });

/** Form of what invoices say of the company. */
export function BillingDetailsForm({
  details,
  onDone,
}: {
  details: BillingDetails | null;
  onDone: () => void;
}) {
  const { form, busy, submit } = useSavedForm<DetailsValues>({
    initialValues: {
      legal_name: details?.legal_name ?? '',
      address: details?.address ?? '',
      country: details?.country ?? '',
      tax_id: details?.tax_id ?? '',
      email: details?.email ?? '',
      currency: details?.currency ?? '',
    },
    validate: (values) => validate(inputOf(values)),
    send: (values) => saveBillingDetails(BillingDetails.parse(inputOf(values))),
    done: 'Billing details saved',
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      <PartyFields form={form} />
      <TextInput
        label="Email for invoices"
        description="New invoices are sent there, with their PDF. Empty for nobody."
        {...form.getInputProps('email')}
      />
      <CurrencyInput
        label="Also show the total in"
        description="A currency such as EUR, where the operator has its rate. Invoices are in US dollars."
        value={form.values.currency}
        onChange={(code) => form.setFieldValue('currency', code)}
        error={form.errors['currency']}
      />
      <FormButtons action="Save" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
