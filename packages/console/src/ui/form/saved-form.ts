import { type UseFormInput, type UseFormReturnType, schemaResolver, useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { ZodType } from 'zod';
import {
  type ChangedElsewhere,
  ChoiceNeeded,
  type EditedEntity,
  useChangedElsewhere,
} from './edited/changed-elsewhere.tsx';
import { focusFirstError, showServerErrors } from './form-fields.tsx';
import { isChanged } from './edited/is-changed.ts';
import { useUnsavedInput } from './unsaved-input.ts';
import { type SaveOptions, useSave } from './use-save.ts';

interface SavedFormOptions<Values extends Record<string, unknown>, Saved, Entity extends object>
  extends
    Pick<UseFormInput<Values>, 'mode' | 'initialValues' | 'validate'>,
    Omit<SaveOptions<Values, Saved>, 'send'> {
  /** What the values have to be, in place of `validate`. */
  schema?: ZodType;
  /** The entity that the form edits, if it is one that others may change meanwhile. */
  entity?: EditedEntity<Values, Entity> | undefined;
  /** Sends the values; `version` is the version of the entity which they are based on, undefined without one. Throws ApiError. */
  send: (values: Values, version: string | undefined) => Promise<Saved>;
  /** Whether the input has a draft in this browser, so that it need not be stored when the session ends. */
  hasDraft?: boolean;
}

interface SavedForm<Values extends Record<string, unknown>> extends Pick<
  ChangedElsewhere<Values, object>,
  'base' | 'rebase'
> {
  form: UseFormReturnType<Values>;
  /** Whether the form is being saved. */
  busy: boolean;
  submit: (event?: FormEvent<HTMLFormElement>) => void;
  /** Render it above the fields: what someone else changed that the person changed too. */
  changedElsewhere: ReactNode;
}

/** A form that is validated and saved: the messages of both are at their fields, and the first field has the focus. */
export function useSavedForm<
  Values extends Record<string, unknown>,
  Saved = unknown,
  Entity extends object = object,
>({
  mode,
  initialValues,
  schema,
  validate = schema && schemaResolver(schema, { sync: true }),
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
  const { sendCurrent, notice, base, rebase } = useChangedElsewhere(form, entity, isSending);
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
    base,
    rebase,
  };
}

interface SavedSectionOptions<
  Values extends Record<string, unknown>,
  Saved,
  Entity extends object,
> extends Pick<SavedFormOptions<Values, Saved, Entity>, 'schema' | 'validate' | 'done' | 'send'> {
  entity: EditedEntity<Values, Entity>;
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

interface SavedSection<Values extends Record<string, unknown>> extends SavedForm<Values> {
  /** Whether to ask before the form is left: it has changes that are not being saved. */
  isUnsaved: boolean;
}

/** A form that stays open after a save, as a section of a screen with other forms. It reports whether it has changes. */
export function useSavedSection<Values extends Record<string, unknown>, Saved, Entity extends object>({
  entity,
  onDirtyChange,
  ...options
}: SavedSectionOptions<Values, Saved, Entity>): SavedSection<Values> {
  const [initialValues] = useState(() => entity.valuesOf(entity.saved));
  const saved = useSavedForm<Values, Saved, Entity>({ ...options, entity, initialValues });
  const dirty = isChanged(saved.form);
  useEffect(() => {
    onDirtyChange(dirty);
    return () => onDirtyChange(false);
  }, [dirty, onDirtyChange]);
  return { ...saved, isUnsaved: dirty && !saved.busy };
}
