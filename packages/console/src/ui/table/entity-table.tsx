import { messages } from '@bidwell/contract/text/messages';
import type { ComponentProps, ReactNode } from 'react';
import { useTableSearch } from '../../lib/table-search.ts';
import { DataTable } from './data-table.tsx';
import { EmptyState } from '../layout/empty-state.tsx';

interface Entity {
  uuid: string;
  name: string;
  archived_at: string | null;
}

type OwnProps = 'rowId' | 'rowName' | 'isArchived' | 'state' | 'onStateChange' | 'toolbar' | 'empty';

interface EntityTableProps<Row extends Entity> extends Omit<ComponentProps<typeof DataTable<Row>>, OwnProps> {
  /** Link to the form of a new entity. */
  add: ReactNode;
  /** Says what the entities are for, while there are none. */
  emptyText: string;
}

const rowId = ({ uuid }: Entity) => uuid;
const rowName = ({ name }: Entity) => name;
const isArchived = ({ archived_at: archivedAt }: Entity) => archivedAt !== null;

/** Table of the company's entities of one kind; the URL holds its search, sort order and page. */
export function EntityTable<Row extends Entity>({ add, emptyText, ...table }: EntityTableProps<Row>) {
  const [state, setState] = useTableSearch();
  return (
    <DataTable<Row>
      {...table}
      rowId={rowId}
      rowName={rowName}
      isArchived={isArchived}
      state={state}
      onStateChange={setState}
      toolbar={add}
      empty={<EmptyState title={messages.emptyTable} text={emptyText} action={add} />}
    />
  );
}
