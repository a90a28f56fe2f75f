import { versionOf } from '@bidwell/contract/lib/version';
import { hashKey } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { toastUndo } from '../../layout/undo-toast.tsx';
import { type ChangedElsewhere, ChoiceNeeded, useChangedElsewhere } from '../edited/changed-elsewhere.tsx';
import { useSave } from '../use-save.ts';
import { type FieldInPlace, shownValue } from './edited-field.ts';

interface EditOptions<Value> {
  label: string;
  /** A value as a text. */
  textOf: (value: Value) => string;
  confirm?: ((value: Value) => Promise<boolean>) | undefined;
  /** The message once a value is saved, with an undo. */
  done: (value: Value) => string;
  /** Closes the dialog. */
  onDone: () => void;
}

interface EditInPlace<Value> {
  value: Value;
  setValue: (value: Value) => void;
  save: (value: Value) => void;
  busy: boolean;
  /** Why the last save failed. */
  error: string | undefined;
  /** Render it above the field: both values, where someone else changed the field too. */
  changedElsewhere: ReactNode;
}

/** Edits a field in place: it follows what someone else saves, and an undo of it replaces no other value. */
export function useEditInPlace<Value>(
  field: FieldInPlace<Value>,
  { label, textOf, confirm, done, onDone }: EditOptions<Value>,
): EditInPlace<Value> {
  const { entity, send } = field;
  const [value, show] = useState(() => shownValue(field));
  const latest = useRef(value);
  const setValue = (changed: Value) => {
    latest.current = changed;
    show(changed);
  };
  // The last saved value, and the one that it replaced.
  const sent = useRef({ before: value, after: value });
  const [isAsked, setAsked] = useState(false);
  const { save, busy, error } = useSave<Value>({
    confirm,
    send: async (changed): Promise<unknown> =>
      sendCurrent({ value: changed }, async ({ value: current }, version, base) => {
        sent.current = { before: base ? entity.valuesOf(base).value : value, after: current };
        return send(current, version, onDone);
      }),
    onSaved: () => {
      onDone();
      if (!isSame(sent.current.before, sent.current.after)) offerUndo(sent.current);
    },
    onFailure: (failure): void => setAsked(failure instanceof ChoiceNeeded),
    shownInPlace: true,
  });
  const { sendCurrent, notice }: ChangedElsewhere<{ value: Value }, object> = useChangedElsewhere<
    { value: Value },
    object
  >(
    {
      getValues: () => ({ value: latest.current }),
      setInitialValues: () => undefined,
      setFieldValue: (_field, changed) => setValue(changed),
    },
    { ...entity, labelOf: () => label, nameOf: (_field, one) => textOf(one as Value) },
    busy,
  );
  const offerUndo = ({ before, after }: { before: Value; after: Value }) => {
    let present = entity.saved;
    toastUndo(done(after), {
      items: [after],
      readUnchanged: async () => {
        present = await entity.reload();
        return isSame(entity.valuesOf(present).value, after) ? [after] : [];
      },
      restore: async () => send(before, versionOf(entity.version, present), onDone),
    });
  };
  return { value, setValue, save, busy, error: isAsked ? undefined : error, changedElsewhere: notice };
}

const isSame = (one: unknown, other: unknown): boolean => hashKey([one]) === hashKey([other]);
