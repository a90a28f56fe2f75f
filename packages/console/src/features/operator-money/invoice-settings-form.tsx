import {
  InvoiceSettings,
  type SavedInvoiceSettings,
  invoiceNumber,
  invoiceSettingsVersion,
} from '@bidwell/contract/invoices/schema';
import { Group, Switch, TextInput, Textarea } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { PartyFields, type PartyValues } from '../../entities/finance/party-fields.tsx';
import { readAgain } from '../../lib/api/query-client.ts';
import { invoiceSettingsQuery, saveInvoiceSettings } from '../../entities/operator/invoice-queries.ts';
import { useTodayIn } from '../../lib/today.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { type RuleValues, TaxRuleFields } from './tax-rule-fields.tsx';

interface SettingsValues extends PartyValues, Record<string, unknown> {
  payment_text: string;
  invoice_prefix: string;
  credit_note_prefix: string;
  tax_rules: RuleValues[];
  is_automatic: boolean;
}

/** The settings as the API takes them: a rule without a country is for all. */
const inputOf = ({ tax_rules, ...values }: SettingsValues) => ({
  ...values,
  tax_rules: tax_rules.map(({ country, ...rule }) => ({ ...rule, country: country === '' ? null : country })),
});

const valuesOf = ({ settings }: SavedInvoiceSettings): SettingsValues => ({
  legal_name: settings?.legal_name ?? '',
  address: settings?.address ?? '',
  country: settings?.country ?? '',
  tax_id: settings?.tax_id ?? '',
  payment_text: settings?.payment_text ?? '',
  invoice_prefix: settings?.invoice_prefix ?? 'INV',
  credit_note_prefix: settings?.credit_note_prefix ?? 'CN',
  tax_rules: (settings?.tax_rules ?? []).map((rule) => ({ ...rule, country: rule.country ?? '' })),
  is_automatic: settings?.is_automatic ?? false,
});

const validate = schemaResolver(InvoiceSettings, { sync: true });

/** Form of who issues invoices, and how. */
export function InvoiceSettingsForm({
  settings,
  onDone,
}: {
  settings: InvoiceSettings | null;
  onDone: () => void;
}) {
  const saved = { settings };
  const year = Number(useTodayIn('UTC').slice(0, 4));
  const { form, busy, submit, changedElsewhere } = useSavedForm<SettingsValues, void, SavedInvoiceSettings>({
    initialValues: valuesOf(saved),
    entity: {
      saved,
      valuesOf,
      version: invoiceSettingsVersion,
      reload: async () => ({ settings: await readAgain(invoiceSettingsQuery) }),
    },
    validate: (values) => validate(inputOf(values)),
    send: (values, version) => saveInvoiceSettings(InvoiceSettings.parse(inputOf(values)), version),
    done: 'Invoice settings saved',
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      <PartyFields form={form} />
      <Textarea
        label="Payment"
        description="How to pay, shown below the total. The net amount is paid from the balance; tax is not."
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('payment_text')}
      />
      <Group grow align="start">
        <TextInput
          label="Numbers of invoices begin with"
          description={`Such as ${invoiceNumber(form.values.invoice_prefix, year, 1)}`}
          withAsterisk
          {...form.getInputProps('invoice_prefix')}
        />
        <TextInput
          label="Numbers of credit notes begin with"
          description={`Such as ${invoiceNumber(form.values.credit_note_prefix, year, 1)}`}
          withAsterisk
          {...form.getInputProps('credit_note_prefix')}
        />
      </Group>
      <TaxRuleFields
        rules={form.values.tax_rules}
        errors={form.errors}
        onChange={(rules) => form.setFieldValue('tax_rules', rules)}
      />
      <Switch
        label="Issue invoices automatically"
        description="A day after each month, for companies with billing details."
        {...form.getInputProps('is_automatic', { type: 'checkbox' })}
      />
      <FormButtons action="Save" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
