import type { Invoice } from '@bidwell/contract/invoices/schema';
import { monthText } from '@bidwell/contract/lib/calendar';
import type { ReactNode } from 'react';
import { formatDay, formatMoney } from '../../lib/format/format.ts';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

interface InvoicesTableProps {
  /** Undefined while they load. */
  invoices: readonly Invoice[] | undefined;
  /** The buttons of a row. */
  renderActions: (invoice: Invoice) => ReactNode;
}

/** Table of a page of invoices and credit notes, whose amounts are negative. */
export function InvoicesTable({ invoices, renderActions }: InvoicesTableProps) {
  return (
    <RecordTable
      label="Invoices"
      columns={[...columns, { header: 'Actions', actions: true, cell: renderActions }]}
      rows={invoices}
      rowId={({ uuid }) => uuid}
      minWidth={640}
      cards
    />
  );
}

const signed = ({ kind }: Invoice, dollars: number) => formatMoney(kind === 'invoice' ? dollars : -dollars);

const columns: readonly RecordColumn<Invoice>[] = [
  { header: 'Number', wrap: 'never', cell: ({ number }) => number },
  { header: 'For', cell: subjectOf },
  { header: 'Issued', wrap: 'never', cell: ({ issued_at }) => formatDay(issued_at.slice(0, 10)) },
  { header: 'Net', numeric: true, cell: (invoice) => signed(invoice, invoice.net) },
  { header: 'Tax', numeric: true, cell: (invoice) => signed(invoice, invoice.tax) },
  { header: 'Total', numeric: true, cell: (invoice) => signed(invoice, invoice.total) },
];

/** What an invoice or a credit note is for. */
function subjectOf({ month, corrects }: Invoice): string {
  return month === null ? `Credit note for ${corrects}` : monthText(month);
}
