import { NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { compareNames } from '../../lib/format/compare-names.ts';
import type { TableFilters, TableState } from './table-state.ts';

interface TableFilterFieldsProps<Row> {
  filters: TableFilters<Row>;
  /** The rows that the filters choose from. */
  rows: readonly Row[];
  state: TableState;
  onChange: (changes: TableState) => void;
}

/** Limits a table to one status and to one app; each is offered once there are two of them. */
export function TableFilterFields<Row>({ filters, rows, state, onChange }: TableFilterFieldsProps<Row>) {
  const { statuses, apps } = useMemo(() => choicesOf(rows, filters), [rows, filters]);
  return (
    <>
      {(statuses.length > 1 || (filters.statusOf && state.status !== undefined)) && (
        <NativeSelect
          aria-label="Status"
          value={state.status ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ status: currentTarget.value || undefined, page: undefined })
          }
          data={[
            { value: '', label: 'All statuses' },
            ...withChosen(statuses, state.status).map((status) => ({ value: status, label: status })),
          ]}
        />
      )}
      {(apps.size > 1 || (filters.appsOf && state.app !== undefined)) && (
        <NativeSelect
          aria-label="App"
          maw={200}
          value={state.app ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ app: currentTarget.value || undefined, page: undefined })
          }
          data={[
            { value: '', label: 'All apps' },
            ...withChosen([...apps.keys()], state.app).map((uuid) => ({
              value: uuid,
              label: apps.get(uuid) ?? 'Another app',
            })),
          ]}
        />
      )}
    </>
  );
}

/** The statuses and the apps of the rows, by name. */
function choicesOf<Row>(rows: readonly Row[], { statusOf, appsOf }: TableFilters<Row>) {
  const statuses = new Set<string>();
  const apps = new Map<string, string>();
  for (const row of rows) {
    const status = statusOf?.(row);
    if (status) statuses.add(status);
    for (const { uuid, name } of appsOf?.(row) ?? []) apps.set(uuid, name);
  }
  return {
    statuses: [...statuses].sort(compareNames),
    apps: new Map([...apps].sort(([, a], [, b]) => compareNames(a, b))),
  };
}

/** A chosen value stays in its list when no row has it any more. */
const withChosen = (values: readonly string[], chosen: string | undefined) =>
  chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
