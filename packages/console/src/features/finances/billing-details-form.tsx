import {
  BillingDetails,
  type SavedBillingDetails,
  billingDetailsVersion,
} from '@bidwell/contract/invoices/schema';
import { TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { readAgain } from '../../lib/api/query-client.ts';
import { billingDetailsQuery, saveBillingDetails } from '../../entities/finance/invoice-queries.ts';
import { PartyFields, type PartyValues } from '../../entities/finance/party-fields.tsx';
import { CurrencyInput } from '../../entities/finance/code-inputs.tsx';
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

const valuesOf = ({ billing_details: details }: SavedBillingDetails): DetailsValues => ({
  legal_name: details?.legal_name ?? '',
  address: details?.address ?? '',
  country: details?.country ?? '',
  tax_id: details?.tax_id ?? '',
  email: details?.email ?? '',
  currency: details?.currency ?? '',
});

const validate = schemaResolver(BillingDetails, { sync: true });

/** Form of what invoices say of the company. */
export function BillingDetailsForm({ saved, onDone }: { saved: SavedBillingDetails; onDone: () => void }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm<DetailsValues, void, SavedBillingDetails>({
    initialValues: valuesOf(saved),
    entity: {
      saved,
      valuesOf,
      version: billingDetailsVersion,
      reload: () => readAgain(billingDetailsQuery),
    },
    validate: (values) => validate(inputOf(values)),
    send: (values, version) => saveBillingDetails(BillingDetails.parse(inputOf(values)), version),
    done: 'Billing details saved',
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      <PartyFields form={form} />
      <TextInput
        label="Email for invoices"
        description="New invoices are sent to this address, with their PDF. Leave empty to send none."
        {...form.getInputProps('email')}
      />
      <CurrencyInput
        label="Also show the total in"
        description="A currency such as EUR, if the operator has a rate for it. Invoices are in US dollars."
        {...form.getInputProps('currency')}
        value={form.values.currency}
      />
      <FormButtons action="Save" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
