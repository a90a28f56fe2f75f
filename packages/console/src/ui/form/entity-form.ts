import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent, ReactNode } from 'react';
import { useState } from 'react';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import type { DraftSchema } from './form-draft.tsx';
import { useFormDraft } from './form-draft.tsx';
import type { FormInDrawer } from './form-in-drawer.tsx';
import { focusFirstError, showServerErrors } from './form-fields.tsx';
import { useIsHere } from '../layout/use-is-here.ts';

interface EntityFormOptions<Values, Saved> {
  /** Key of the draft, such as `target.new`. */
  draftKey: string;
  draftSchema: DraftSchema<Values>;
  /** The saved values, or those of an empty form. */
  initialValues: Values;
  /** Messages by field. */
  validate: (values: Values) => FormErrors;
  /** Saves the values; resolves to what was saved and the message to show. Throws ApiError. */
  save: (values: Values) => Promise<{ saved: Saved; message: string }>;
  /** The tab of the assets screen to open afterwards. */
  tab: 'apps' | 'creative-groups' | 'targets' | 'tracking-links';
  /** In a drawer: called with what was saved, in place of opening the tab. */
  drawer?: FormInDrawer<Saved> | undefined;
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
export function useEntityForm<Values extends Record<string, unknown>, Saved>({
  draftKey,
  draftSchema,
  initialValues,
  validate,
  save,
  tab,
  drawer,
  failure,
}: EntityFormOptions<Values, Saved>): EntityForm<Values> {
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
    asksBeforeLeaving: drawer === undefined,
    onRestore: (values) => form.setValues(values),
    onReset: () => form.reset(),
  });
  const saveAndLeave = async (values: Values) => {
    setBusy(true);
    try {
      const { saved, message } = await save(values);
      draft.flush();
      toastSuccess(message);
      if (drawer) drawer.onSaved(saved);
      else if (isHere()) await navigate({ to: '/assets', search: { tab }, ignoreBlocker: true });
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
