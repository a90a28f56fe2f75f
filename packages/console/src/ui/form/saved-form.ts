import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import type { FormEvent } from 'react';
import { focusFirstError, showServerErrors } from './form-fields.tsx';
import { type SaveOptions, useSave } from './use-save.ts';

interface SavedFormOptions<Values extends Record<string, unknown>, Saved>
  extends Pick<UseFormInput<Values>, 'mode' | 'initialValues' | 'validate'>, SaveOptions<Values, Saved> {}

interface SavedForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** Whether the form is being saved. */
  busy: boolean;
  submit: (event?: FormEvent<HTMLFormElement>) => void;
}

/** A form that is validated and saved: the messages of both stand at their fields, the first of which has the focus. */
export function useSavedForm<Values extends Record<string, unknown>, Saved = unknown>({
  mode,
  initialValues,
  validate,
  ...saving
}: SavedFormOptions<Values, Saved>): SavedForm<Values> {
  const form = useForm<Values>({
    initialValues,
    ...(mode && { mode }),
    ...(validate && { validate }),
  });
  const { save, busy } = useSave({
    ...saving,
    onFailure: (error) => {
      showServerErrors(form, error);
      saving.onFailure?.(error);
    },
  });
  return { form, busy, submit: form.onSubmit(save, focusFirstError(form)) };
}
