import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { toastError, toastSuccess } from '../lib/toast.ts';
import type { DraftSchema } from './form-draft.tsx';
import { useFormDraft } from './form-draft.tsx';
import { focusFirstError, showServerErrors } from './form-fields.tsx';
import { useIsHere } from './use-is-here.ts';

interface EntityFormOptions<Values> {
  /** Key of the draft, such as `target.new`. */
  draftKey: string;
  draftSchema: DraftSchema<Values>;
  /** The saved values, or those of an empty form. */
  initialValues: Values;
  /** Messages by field. */
  validate: (values: Values) => FormErrors;
  /** Saves the values; resolves to the message to show. Throws ApiError. */
  save: (values: Values) => Promise<string>;
  /** The tab of the assets screen to open afterwards. */
  tab: 'apps' | 'creative-groups' | 'targets' | 'tracking-links';
  /** The message of a failure without one of the server. */
  failure?: string;
}

interface EntityForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** Whether the form is being saved. */
  busy: boolean;
  /** Render it above the fields: a restored draft, and the question before a dirty form is left. */
  notice: ReactNode;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/** A form of one asset with a draft: validates, saves, shows errors at their fields and returns to the list. */
export function useEntityForm<Values extends Record<string, unknown>>({
  draftKey,
  draftSchema,
  initialValues,
  validate,
  save,
  tab,
  failure,
}: EntityFormOptions<Values>): EntityForm<Values> {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [busy, setBusy] = useState(false);
  const form = useForm<Values>({ initialValues, validate });
  const draft = useFormDraft({
    key: draftKey,
    schema: draftSchema,
    values: form.values,
    dirty: form.isDirty(),
    busy,
    onRestore: (values) => form.setValues(values),
    onReset: () => form.reset(),
  });
  const saveAndLeave = async (values: Values) => {
    setBusy(true);
    try {
      const message = await save(values);
      draft.flush();
      toastSuccess(message);
      if (isHere()) await navigate({ to: '/assets', search: { tab }, ignoreBlocker: true });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error, failure);
    } finally {
      setBusy(false);
    }
  };
  const submit = form.onSubmit((values) => void saveAndLeave(values), focusFirstError(form));
  return { form, busy, notice: draft.notice, submit };
}
