import { Modal, Skeleton } from '@mantine/core';
import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../../layout/lazy-part.tsx';
import { formatMoney } from '../../../lib/format/format.ts';
import type { InlineMoneyFormProps } from './inline-money-form.tsx';
import classes from './inline-money.module.css';
import { IfMay } from '../../roles/if-may.tsx';
import { shownValue } from './edited-field.ts';
import { Pencil } from './pencil.tsx';
import { useLazyDialog } from '../use-lazy-dialog.ts';

const MoneyForm = lazyPart(() => import('./inline-money-form.tsx'), 'MoneyForm');

interface InlineMoneyProps extends Omit<InlineMoneyFormProps, 'onDone'> {
  /** The permission to change it; other users get no pencil. */
  permission: ComponentProps<typeof IfMay>['permission'];
}

/** An amount with a pencil button that opens a dialog to edit it: two decimal places, at most `max`. */
export function InlineMoney({ permission, ...props }: InlineMoneyProps) {
  const { label, of, field, emptyText } = props;
  const value = shownValue(field);
  const { isMounted, opened, open, close } = useLazyDialog();
  const none = emptyText !== undefined && !value;
  return (
    <div className={classes['money']}>
      <IfMay permission={permission}>
        <Pencil label={`Edit ${label.toLowerCase()} of ${of}`} onClick={open} />
      </IfMay>
      <span className={none ? classes['none'] : undefined}>{none ? emptyText : formatMoney(value)}</span>
      {isMounted && (
        <Modal opened={opened} onClose={close} title={`${label} of ${of}`}>
          {opened && (
            <Suspense fallback={<Skeleton height={112} />}>
              <MoneyForm {...props} onDone={close} />
            </Suspense>
          )}
        </Modal>
      )}
    </div>
  );
}
