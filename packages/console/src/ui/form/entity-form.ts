import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { Fragment, type FormEvent, type ReactNode, createElement } from 'react';
import type { EditedEntity } from './edited/changed-elsewhere.tsx';
import { type DraftSchema, useFormDraft } from './form-draft.tsx';
import type { FormInDrawer } from './form-in-drawer.tsx';
import { isChanged } from './edited/is-changed.ts';
import { useIsHere } from '../layout/use-is-here.ts';
import { useSavedForm } from './saved-form.ts';

interface EntityFormOptions<Values extends Record<string, unknown>, Saved, Entity extends object> {
  /** Key of the draft, such as `target.new`. */
  draftKey: string;
  draftSchema: DraftSchema<Values>;
  /** The saved values, or the values of an empty form. */
  initialValues: Values;
  /** Messages by field. */
  validate: (values: Values) => FormErrors;
  /** The entity that the form edits; undefined for a new one. */
  entity: EditedEntity<Values, Entity> | undefined;
  /** Saves the values, based on a version; resolves to the saved entity and the message to show. Throws ApiError. */
  save: (values: Values, version: string | undefined) => Promise<{ saved: Saved; message: string }>;
  /** The tab of the assets screen to open afterwards. */
  tab: 'apps' | 'creative-groups' | 'targets' | 'tracking-links';
  /** Keeps the screen open once it is saved, because of other unsaved changes on it. */
  stays?: boolean;
  /** In a drawer: called with the saved entity, in place of opening the tab. */
  drawer?: FormInDrawer<Saved> | undefined;
  /** The message of a failure without one of the server. */
  failure?: string;
}

/** Labels of fields that differ from the change log's, for all these forms. */
const titles: Readonly<Record<string, string>> = { name: 'Title', app_id: 'App' };

interface EntityForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>;
  /** Whether the form is being saved. */
  busy: boolean;
  /** Render it above the fields: a restored draft, what someone else changed too, and the question before a dirty form is left. */
  notice: ReactNode;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/** A form of one asset with a draft: validates, saves, shows errors at their fields and returns to the list. */
export function useEntityForm<Values extends Record<string, unknown>, Saved extends object>({
  draftKey,
  draftSchema,
  initialValues,
  entity,
  validate,
  save,
  tab,
  stays = false,
  drawer,
  failure,
}: EntityFormOptions<Values, Saved, Saved>): EntityForm<Values> {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const { form, busy, submit, changedElsewhere, base, rebase } = useSavedForm<
    Values,
    { saved: Saved; message: string },
    Saved
  >({
    initialValues,
    entity: entity && { labelOf: (field) => titles[field], ...entity },
    validate,
    hasDraft: true,
    send: save,
    done: ({ message }) => message,
    onSaved: async ({ saved }, values) => {
      if (stays) {
        form.setInitialValues(values);
        form.resetDirty(values);
        return;
      }
      draft.flush();
      if (drawer) drawer.onSaved(saved);
      else if (isHere()) await navigate({ to: '/assets', search: { tab }, ignoreBlocker: true });
    },
    ...(failure !== undefined && { failure }),
  });
  const draft = useFormDraft({
    key: draftKey,
    schema: draftSchema,
    values: form.values,
    base,
    dirty: isChanged(form),
    busy,
    asksBeforeLeaving: drawer === undefined,
    onRestore: (values, before) => {
      form.setValues(values);
      rebase(before);
    },
    onReset: () => form.reset(),
  });
  const notice = createElement(Fragment, null, draft.notice, changedElsewhere);
  return { form, busy, notice, submit };
}
