import { Modal, Skeleton } from '@mantine/core';
import { type ComponentProps, type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../layout/lazy-part.tsx';
import classes from './inline-edit.module.css';
import { IfMay } from '../../roles/if-may.tsx';
import { type FieldInPlace, shownValue } from './edited-field.ts';
import { Pencil } from './pencil.tsx';
import { useLazyDialog } from '../use-lazy-dialog.ts';

// Tables have many of these and open few: the form loads with the first dialog.
const EditForm = lazyPart(() => import('./inline-edit-form.tsx'), 'EditForm');

interface InlineEditProps {
  /** Name of the field, for example Title. */
  label: string;
  field: FieldInPlace<string>;
  kind: 'title' | 'description';
  /** The permission to change it; other users get no pencil. */
  permission: ComponentProps<typeof IfMay>['permission'];
  /** Shown before the pencil; the value itself by default. */
  children?: ReactNode;
}

/** A text with a pencil button that opens a dialog to edit it. */
export function InlineEdit({ label, field, kind, permission, children }: InlineEditProps) {
  const value = shownValue(field);
  const { isMounted, opened, open, close } = useLazyDialog();
  return (
    <div className={classes['value']}>
      {children ?? (
        <span className={`${classes['text']} ${value === '' ? classes['nothing'] : ''}`} title={value}>
          {value || '-'}
        </span>
      )}
      <IfMay permission={permission}>
        <Pencil label={`Edit ${label.toLowerCase()} ${value}`.trim()} onClick={open} />
      </IfMay>
      {isMounted && (
        <Modal opened={opened} onClose={close} title={`Edit ${label.toLowerCase()}`}>
          {opened && (
            <Suspense fallback={<Skeleton height={112} />}>
              <EditForm label={label} field={field} kind={kind} onDone={close} />
            </Suspense>
          )}
        </Modal>
      )}
    </div>
  );
}
