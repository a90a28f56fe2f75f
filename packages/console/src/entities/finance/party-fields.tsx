import { TextInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CountryInput } from './code-inputs.tsx';

/** The fields of who an invoice is from or for. */
export interface PartyValues {
  legal_name: string;
  address: string;
  country: string;
  tax_id: string;
}

/** Fields of the name, address and tax id of a party of invoices. */
export function PartyFields<Values extends PartyValues & Record<string, unknown>>({
  form,
}: {
  form: UseFormReturnType<Values>;
}) {
  return (
    <>
      <TextInput label="Legal name" withAsterisk {...form.getInputProps('legal_name')} />
      <Textarea
        label="Address"
        description="Without the country."
        autosize
        minRows={2}
        maxRows={6}
        withAsterisk
        {...form.getInputProps('address')}
      />
      <CountryInput label="Country" {...form.getInputProps('country')} value={form.values.country} required />
      <TextInput label="Tax ID" description="Such as a VAT number." {...form.getInputProps('tax_id')} />
    </>
  );
}
