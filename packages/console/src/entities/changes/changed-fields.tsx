import type { Change } from '@bidwell/contract/changes/schema';
import { fieldLabel } from '@bidwell/contract/text/field-label';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { Caption } from '../../ui/layout/text.tsx';
import { describeChange } from './change-values.ts';
import classes from './changed-fields.module.css';

/** The fields of a change, each with its values before and after. */
export function ChangedFields({ fields }: { fields: Change['fields'] }) {
  return (
    <FieldLines>
      {fields.map((changed) => {
        const change = describeChange(changed);
        return (
          <FieldLine key={changed.field} field={changed.field}>
            {change.kind === 'note' ? (
              change.text
            ) : change.kind === 'value' ? (
              <>
                {change.before !== 'none' && <del>{change.before}</del>} → <ins>{change.after}</ins>
              </>
            ) : (
              <>
                {change.added.length > 0 && <ins>+ {change.added.join(', ')}</ins>}
                {change.added.length > 0 && change.removed.length > 0 && ' '}
                {change.removed.length > 0 && <del>− {change.removed.join(', ')}</del>}
                {change.added.length + change.removed.length === 0 && 'in another order'}
                {change.unchanged > 0 && (
                  <span className={classes['unchanged']}> ({change.unchanged} unchanged)</span>
                )}
              </>
            )}
          </FieldLine>
        );
      })}
    </FieldLines>
  );
}

/** Says that the fields of a change are not listed. */
export function FieldsLeftOut() {
  return <Caption>{screenMessages.changeTooLong}</Caption>;
}

/** A table of fields. */
export function FieldLines({ children }: { children: ReactNode }) {
  return (
    <Table withRowBorders={false} verticalSpacing={2} fz="xs" className={classes['fields']!}>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

/** A field with its value, or its change. */
export function FieldLine({ field, children }: { field: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} c="dimmed">
        {fieldLabel(field)}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}
