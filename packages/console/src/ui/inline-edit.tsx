import { Modal, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Suspense, lazy } from 'react';
import classes from './inline-edit.module.css';
import { Pencil } from './pencil.tsx';
import { useLateDialog } from './use-late-dialog.ts';

// A table holds many of these and opens few: the form comes with the first dialog.
const EditForm = lazy(async () => ({ default: (await import('./inline-edit-form.tsx')).EditForm }));

interface InlineEditProps {
  /** What is edited: Title, Description. */
  label: string;
  value: string;
  kind: 'title' | 'description';
  /** Saves; the dialog stays open and shows the error when it throws. */
  onSave: (value: string) => Promise<unknown>;
  /** What stands before the pencil; the value itself without it. */
  children?: ReactNode;
}

/** A text with a pencil that opens a dialog to change it (specification, section 5, Inline edit dialog). */
export function InlineEdit({ label, value, kind, onSave, children }: InlineEditProps) {
  const { isThere, opened, open, close } = useLateDialog();
  return (
    <div className={classes['value']}>
      {children ?? (
        <span className={`${classes['text']} ${value === '' ? classes['nothing'] : ''}`} title={value}>
          {value || '-'}
        </span>
      )}
      <Pencil label={`Edit ${label.toLowerCase()} ${value}`.trim()} onClick={open} />
      {isThere && (
        <Modal opened={opened} onClose={close} title={`Edit ${label.toLowerCase()}`} centered>
          {opened && (
            <Suspense fallback={<Skeleton height={112} />}>
              <EditForm label={label} value={value} kind={kind} onSave={onSave} onDone={close} />
            </Suspense>
          )}
        </Modal>
      )}
    </div>
  );
}
