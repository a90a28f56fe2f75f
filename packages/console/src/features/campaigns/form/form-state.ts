import { type SetStateAction, useCallback, useEffect, useRef, useState } from 'react';
import { type FormDraft, type FormDraftOptions, useFormDraft } from '../../../ui/form/form-draft.tsx';
import { focusField } from '../../../ui/form/focus-field.ts';

interface StateDraftOptions<T, Base> extends Omit<
  FormDraftOptions<T, Base>,
  'key' | 'values' | 'dirty' | 'onRestore' | 'onReset'
> {
  draftKey: string;
  /** Called once a draft was put into the form, with its base; null if it is not known. */
  onRestored: (base: Base | null) => void;
  /** Whether the values are stored elsewhere, so that this browser needs no copy. */
  isStored?: boolean;
  /** Called when the person starts over. */
  onReset?: () => void;
}

/** Values and messages of a form with nested values. `initial` are the saved values, or the values of an empty form; only the first count. */
export function useFormState<T>(initial: T) {
  const [saved, setSaved, getSaved] = useValue(initial);
  const [values, setValues, getValues] = useValue(initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [focused, setFocused] = useState<{ path: string | undefined }>();
  const isChanged = JSON.stringify(values) !== JSON.stringify(saved);

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
    /** The current values, which may be newer than the rendered ones. */
    getValues,
    /** The values as they are saved, as far as the form knows. */
    saved,
    getSaved,
    /** Sets them, where someone else saved others. */
    setSaved,
    isChanged,
    errors,
    showErrors,
    clearErrors,
    focus,
    /** Puts the saved values back. */
    reset: () => {
      setValues(saved);
      setErrors({});
    },
  };
}

/** Stores the draft of a form in this browser. */
export function useStateDraft<T, Base = T>(
  { values, setValues, isChanged, reset }: ReturnType<typeof useFormState<T>>,
  { draftKey, isStored = false, onRestored, onReset, ...options }: StateDraftOptions<T, Base>,
): FormDraft {
  return useFormDraft<T, Base>({
    ...options,
    key: draftKey,
    values,
    dirty: isChanged && !isStored,
    onRestore: (draft, base) => {
      setValues(draft);
      onRestored(base);
    },
    onReset: () => {
      reset();
      onReset?.();
    },
  });
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
