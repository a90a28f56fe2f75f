import { useCallback, useEffect, useState } from 'react';
import { readDraft, useDraft } from '../../lib/draft.ts';

interface FormStateOptions<T> {
  /** The saved values, or those of an empty form. */
  initial: T;
  draftKey: string;
  schema: { safeParse: (raw: unknown) => { success: true; data: T } | { success: false } };
}

/** Values and messages of a form that stores its draft in this browser. */
export function useFormState<T>({ initial, draftKey, schema }: FormStateOptions<T>) {
  const [draft] = useState(() => readDraft(draftKey, schema));
  const [values, setValues] = useState(draft ?? initial);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [restored, setRestored] = useState(draft !== null);
  const [wanted, setWanted] = useState<{ path: string | undefined }>();
  const dirty = JSON.stringify(values) !== JSON.stringify(initial);
  const flush = useDraft(draftKey, dirty ? values : null);

  // In an effect, because the field may have to render before it can be focused.
  useEffect(() => {
    if (wanted?.path === undefined) return;
    const place = document.querySelector(`[data-field="${CSS.escape(wanted.path)}"]`);
    place?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, button')?.focus();
  }, [wanted]);

  /** Shows messages by path and focuses the first field that has one. */
  const fail = useCallback((found: Record<string, string>) => {
    setErrors(found);
    setWanted({ path: Object.keys(found)[0] });
  }, []);

  /** Clears the messages of fields that are being edited. */
  const clear = useCallback(
    (paths: readonly string[]) =>
      setErrors((before) =>
        Object.fromEntries(Object.entries(before).filter(([path]) => !paths.includes(path))),
      ),
    [],
  );

  const startOver = () => {
    setValues(initial);
    setErrors({});
    setRestored(false);
  };

  return { values, setValues, errors, fail, clear, dirty, flush, restored, startOver };
}
