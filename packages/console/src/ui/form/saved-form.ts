import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { hashKey } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useLatestCallback } from '../../lib/use-latest-callback.ts';
import { ChoiceNeeded, type EditedEntity, useChangedElsewhere } from './edited/changed-elsewhere.tsx';
import { focusFirstError, showServerErrors } from './form-fields.tsx';
import { useUnsavedInput } from './unsaved-input.ts';
import { type SaveOptions, useSave } from './use-save.ts';

interface SavedFormOptions<Values extends Record<string, unknown>, Saved, Entity extends object>
  extends
    Pick<UseFormInput<Values>, 'mode' | 'initialValues' | 'validate'>,
    Omit<SaveOptions<Values, Saved>, 'send'> {
  /** The entity that the form edits, if it is one that others may change meanwhile. */
  entity?: EditedEntity<Values, Entity> | undefined;
  /** Sends the values; `version` is that of the entity which they are based on, undefined without one. Throws ApiError. */
  send: (values: Values, version: string | undefined) => Promise<Saved>;
  /** Whether what is typed has a draft in this browser, so that it need not be stored when the session ends. */
  hasDraft?: boolean;
}

interface SavedForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** Whether the form is being saved. */
  busy: boolean;
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  /** Render it above the fields: what somebody else changed that the person changed too. */
  changedElsewhere: ReactNode;
}

/** A form that is validated and saved: the messages of both stand at their fields, the first of which has the focus. */
export function useSavedForm<
  Values extends Record<string, unknown>,
  Saved = unknown,
  Entity extends object = object,
>({
  mode,
  initialValues,
  validate,
  hasDraft = false,
  entity,
  ...saving
}: SavedFormOptions<Values, Saved, Entity>): SavedForm<Values> {
  const [isSending, setSending] = useState(false);
  const form = useForm<Values>({
    initialValues,
    ...(mode && { mode }),
    ...(validate && { validate }),
  });
  useUnsavedInput(form, { isStoredElsewhere: hasDraft });
  const { sendCurrent, notice } = useChangedElsewhere(form, entity, isSending);
  const { save, busy } = useSave({
    ...saving,
    send: async (values) => {
      setSending(true);
      return sendCurrent(values, saving.send).finally(() => setSending(false));
    },
    onFailure: (error, values) => {
      if (error instanceof ChoiceNeeded) return true;
      showServerErrors(form, error);
      return saving.onFailure?.(error, values);
    },
  });
  return {
    form,
    busy,
    submit: form.onSubmit(save, focusFirstError(form)),
    changedElsewhere: notice,
  };
}

interface SavedSectionOptions<Values extends Record<string, unknown>, Saved> extends Pick<
  SavedFormOptions<Values, Saved, object>,
  'validate' | 'done'
> {
  /** What the server has, as far as it was loaded. */
  saved: Saved;
  /** The values of the fields. */
  valuesOf: (saved: Saved) => Values;
  /** Asks whether it is meant; `base` is what the fields were filled in from. When false, nothing is sent. */
  confirm?: (base: Saved) => Promise<boolean>;
  /** Sends the values. Throws ApiError. */
  send: (values: Values, base: Saved) => Promise<Saved>;
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

interface SavedSection<Values extends Record<string, unknown>> extends SavedForm<Values> {
  /** Whether to ask before the form is left: it has changes that are not being saved. */
  isUnsaved: boolean;
  /** Whether somebody else saved something while the form has unsaved changes. */
  isOutdated: boolean;
  /** Fills the fields in from what the server has, without the changes. */
  renew: () => void;
}

/**
 * A form that stays open when it was saved, as a section of a screen that has other forms: it tells whether it has changes. Without
 * changes of its own it shows what somebody else saves.
 */
export function useSavedSection<Values extends Record<string, unknown>, Saved>({
  saved,
  valuesOf,
  confirm,
  send,
  onDirtyChange,
  ...options
}: SavedSectionOptions<Values, Saved>): SavedSection<Values> {
  const [base, setBase] = useState(saved);
  const [initialValues] = useState(() => valuesOf(saved));
  const { form, busy, submit, changedElsewhere }: SavedForm<Values> = useSavedForm<Values, Saved>({
    ...options,
    initialValues,
    ...(confirm && { confirm: () => confirm(base) }),
    send: (values) => send(values, base),
    onSaved: (sent, values) => {
      setBase(sent);
      form.resetDirty(values);
    },
  });
  const dirty = form.isDirty();
  const isBehind = !busy && !isSame(base, saved);
  const renew = useLatestCallback(() => {
    const values = valuesOf(saved);
    setBase(saved);
    form.setValues(values);
    form.resetDirty(values);
    form.clearErrors();
  });
  useEffect(() => {
    onDirtyChange(dirty);
    return () => onDirtyChange(false);
  }, [dirty, onDirtyChange]);
  useEffect(() => {
    if (isBehind && !dirty) renew();
  }, [isBehind, dirty, renew]);
  return {
    form,
    busy,
    submit,
    changedElsewhere,
    isUnsaved: dirty && !busy,
    isOutdated: isBehind && dirty,
    renew,
  };
}

/** Whether two responses of the server say the same; the order of fields, which the database may change, does not count. Pure. */
export const isSame = (a: unknown, b: unknown): boolean => hashKey([a]) === hashKey([b]);
