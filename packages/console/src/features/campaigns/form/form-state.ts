import { useCallback, useEffect, useState } from 'react';
import { type DraftSchema, useFormDraft } from '../../../ui/form/form-draft.tsx';
import { focusField } from '../../../ui/form/focus-field.ts';

interface FormStateOptions<T> {
  /** The saved values, or those of an empty form. */
  initial: T;
  draftKey: string;
  schema: DraftSchema<T>;
  /** Whether the form is being saved. */
  busy: boolean;
  /** Whether the values are stored elsewhere, so that this browser needs no copy. */
  isStored?: boolean;
  asksBeforeLeaving?: boolean;
  isShared?: boolean;
  onDiscard?: (() => void) | undefined;
  /** Called when the person starts over. */
  onReset?: () => void;
}

/** Values and messages of a form with nested values, which stores its draft in this browser. */
export function useFormState<T>({
  initial,
  draftKey,
  schema,
  busy,
  isStored = false,
  onReset,
  ...leaving
}: FormStateOptions<T>) {
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [focused, setFocused] = useState<{ path: string | undefined }>();
  const isChanged = JSON.stringify(values) !== JSON.stringify(initial);
  const { flush, notice } = useFormDraft({
    ...leaving,
    key: draftKey,
    schema,
    values,
    dirty: isChanged && !isStored,
    busy,
    onRestore: setValues,
    onReset: () => {
      setValues(initial);
      setErrors({});
      onReset?.();
    },
  });

  // In an effect, because the field may have to render before it can be focused.
  useEffect(() => {
    if (focused?.path !== undefined) focusField(focused.path);
  }, [focused]);

  /** Shows messages by path and focuses the first field that has one. */
  const showErrors = useCallback((found: Record<string, string>) => {
    setErrors(found);
    setFocused({ path: Object.keys(found)[0] });
  }, []);

  /** Clears the messages of fields that are being edited. */
  const clearErrors = useCallback(
    (paths: readonly string[]) =>
      setErrors((before) =>
        Object.fromEntries(Object.entries(before).filter(([path]) => !paths.includes(path))),
      ),
    [],
  );

  /** Focuses a field once it is rendered. */
  const focus = useCallback((path: string) => setFocused({ path }), []);

  return { values, setValues, isChanged, errors, showErrors, clearErrors, focus, flush, notice };
}
