import { TextInput, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

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
      <CountryInput
        label="Country code"
        value={form.values.country}
        onChange={(code) => form.setFieldValue('country', code as never)}
        error={form.errors['country']}
        required
      />
      <TextInput label="Tax ID" description="Such as a VAT number." {...form.getInputProps('tax_id')} />
    </>
  );
}

interface CodeInputProps {
  label: string;
  value: string;
  onChange: (code: string) => void;
  error?: React.ReactNode;
  required?: boolean;
  description?: string;
}

/** A code of a country, such as DE, with the name of the country. */
export function CountryInput({ value, onChange, required = false, description, ...props }: CodeInputProps) {
  return (
    <TextInput
      {...props}
      description={countryName(value) ?? description ?? 'Two letters, such as DE.'}
      maxLength={2}
      withAsterisk={required}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.toUpperCase())}
    />
  );
}

/** The name of a country by its code; undefined where there is none. */
export function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code);
}

/** A code of a currency, such as EUR. */
export function CurrencyInput({ value, onChange, ...props }: CodeInputProps) {
  return (
    <TextInput
      {...props}
      maxLength={3}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.toUpperCase())}
    />
  );
}
