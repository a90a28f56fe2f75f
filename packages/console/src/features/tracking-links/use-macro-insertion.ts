import { limits } from '@bidwell/contract/lib/limits';
import type { UseFormReturnType } from '@mantine/form';
import { type SyntheticEvent, useRef, useState } from 'react';
import type { UrlField } from './findings.ts';
import type { TrackingLinkValues } from './tracking-link-values.ts';

/** Inserts macros into the URL field that had the focus last, at its cursor. */
export function useMacroInsertion(form: UseFormReturnType<TrackingLinkValues>) {
  const cursor = useRef<number>(limits.urlMax);
  const [field, setField] = useState<UrlField>('click_url');
  const insert = (macro: string) => {
    const text = form.values[field];
    const at = Math.min(cursor.current, text.length);
    const after = at + macro.length + 2;
    form.setFieldValue(field, `${text.slice(0, at)}{${macro}}${text.slice(at)}`);
    cursor.current = after;
    requestAnimationFrame(() => {
      const input = form.getInputNode(field);
      if (!(input instanceof HTMLTextAreaElement)) return;
      input.focus();
      input.setSelectionRange(after, after);
    });
  };
  return {
    /** The field that the next macro is inserted into. */
    field,
    insert,
    /** Remembers the cursor of a URL field: its `onSelect`. */
    onSelect:
      (name: UrlField) =>
      ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
        setField(name);
        cursor.current = currentTarget.selectionEnd;
      },
  };
}
