import { type SetStateAction, useCallback, useEffect, useRef, useState } from 'react';
import { type DraftSchema, useFormDraft } from '../../../ui/form/form-draft.tsx';
import { focusField } from '../../../ui/form/focus-field.ts';

interface FormStateOptions<T> {
  /** The saved values, or those of an empty form; only the first count. */
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
  const [saved, setSaved, getSaved] = useValue(initial);
  const [values, setValues, getValues] = useValue(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [focused, setFocused] = useState<{ path: string | undefined }>();
  const isChanged = JSON.stringify(values) !== JSON.stringify(saved);
  const { flush, notice } = useFormDraft({
    ...leaving,
    key: draftKey,
    schema,
    values,
    dirty: isChanged && !isStored,
    busy,
    onRestore: setValues,
    onReset: () => {
      setValues(saved);
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

  return {
    values,
    setValues,
    /** The values of now, which may be newer than those of the render. */
    getValues,
    /** The values as they are saved, as far as the form knows. */
    saved,
    getSaved,
    /** Sets them, where somebody else saved others. */
    setSaved,
    isChanged,
    errors,
    showErrors,
    clearErrors,
    focus,
    flush,
    notice,
  };
}

/** A state that can also be read at once after it is set. */
function useValue<T>(initial: T) {
  const [shown, show] = useState(initial);
  const latest = useRef(initial);
  const set = useCallback((change: SetStateAction<T>) => {
    latest.current = typeof change === 'function' ? (change as (before: T) => T)(latest.current) : change;
    show(latest.current);
  }, []);
  const get = useCallback(() => latest.current, []);
  return [shown, set, get] as const;
}
