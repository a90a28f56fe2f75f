import { changeInvoiceSettings } from '@bidwell/contract/operator/invoice-endpoints';
import type { InvoiceRate, InvoiceSettings } from '@bidwell/contract/invoices/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Modal, Skeleton, Stack } from '@mantine/core';
import { IconPencil, IconPlus } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { isKnown, useLoadable } from '../../lib/loadable.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { lazyPart } from '../../ui/layout/lazy-part.tsx';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { invoiceRatesQuery, invoiceSettingsQuery } from '../../entities/operator/invoice-queries.ts';
import { formatDay } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LongText } from '../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

const InvoiceSettingsForm = lazyPart(() => import('./invoice-settings-form.tsx'), 'InvoiceSettingsForm');
const InvoiceRateForm = lazyPart(() => import('./invoice-rate-form.tsx'), 'InvoiceRateForm');

/** Who issues invoices and how, and the rates at which totals are shown in other currencies. */
export function InvoicesSection() {
  const loaded = useLoadable(invoiceSettingsQuery);
  const [dialog, setDialog] = useState<'settings' | 'rate' | null>(null);
  const mayChange = useMayCall(changeInvoiceSettings.permission);
  const close = () => setDialog(null);
  return (
    <Section title="Invoices">
      <Stack gap="sm">
        <FigureFrame figures={loaded} what="The settings" skeleton={<Skeleton height={40} />}>
          {(settings) => (
            <LongText>{settings ? settingsText(settings) : screenMessages.invoiceSettingsMissing}</LongText>
          )}
        </FigureFrame>
        <Rates />
        {mayChange && isKnown(loaded) && (
          <Group>
            <SecondaryButton leftSection={<IconPencil size={16} />} onClick={() => setDialog('settings')}>
              Invoice settings
            </SecondaryButton>
            <SecondaryButton leftSection={<IconPlus size={16} />} onClick={() => setDialog('rate')}>
              Add a rate
            </SecondaryButton>
          </Group>
        )}
      </Stack>
      <Modal opened={dialog === 'settings'} onClose={close} title="Invoice settings" size="lg">
        <Suspense fallback={<Skeleton height={320} />}>
          {isKnown(loaded) && <InvoiceSettingsForm settings={loaded.data} onDone={close} />}
        </Suspense>
      </Modal>
      <Modal opened={dialog === 'rate'} onClose={close} title="Rate for totals of invoices">
        <Suspense fallback={<Skeleton height={240} />}>
          <InvoiceRateForm onDone={close} />
        </Suspense>
      </Modal>
    </Section>
  );
}

/** The settings in a sentence. */
function settingsText({ legal_name, is_automatic, tax_rules }: InvoiceSettings): string {
  const when = is_automatic ? 'automatically, a day after each month' : 'on the pages of companies';
  const rules = tax_rules.length === 1 ? 'one tax rule' : `${tax_rules.length || 'no'} tax rules`;
  return `Invoices are from ${legal_name}, with ${rules}. They are issued ${when}.`;
}

const rateColumns: readonly RecordColumn<InvoiceRate>[] = [
  { header: 'Currency', cell: ({ currency }) => currency },
  { header: 'For one dollar', numeric: true, cell: ({ per_dollar }) => String(per_dollar) },
  { header: 'Day', wrap: 'never', cell: ({ date }) => formatDay(date) },
  { header: 'Source', wrap: 'anywhere', cell: ({ source }) => source },
];

/** The last rate of each currency; nothing if there is none. */
function Rates() {
  return (
    <RecordTable
      label="Rates for totals of invoices"
      what="The rates"
      empty={null}
      columns={rateColumns}
      rows={useLoadable(invoiceRatesQuery)}
      rowId={({ currency }) => currency}
    />
  );
}
