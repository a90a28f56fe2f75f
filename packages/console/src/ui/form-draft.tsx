import { Alert, Button, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useState } from 'react';
import { readDraft, useDraft } from '../lib/draft.ts';
import { LeaveGuard } from './leave-guard.tsx';

interface FormDraft {
  /** Call it once the form is saved: deletes the draft and disables the warning on leaving. */
  flush: () => void;
  /** Render it in the form: shows that a draft was restored, and asks before a dirty form is left. */
  notice: React.ReactNode;
}

/** Stores the values of a Mantine form in this browser until it is saved or discarded. */
export function useFormDraft<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  key: string,
  schema: { safeParse: (raw: unknown) => { success: true; data: Values } | { success: false } },
  busy: boolean,
): FormDraft {
  const [draft] = useState(() => readDraft(key, schema));
  const [restored, setRestored] = useState(draft !== null);
  const dirty = form.isDirty();
  const flush = useDraft(key, dirty ? form.values : null);
  useEffect(() => {
    if (draft) form.setValues(draft);
    // The draft is restored once; the form's functions change with each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [draft]);
  const startOver = () => {
    form.reset();
    setRestored(false);
  };
  return {
    flush,
    notice: (
      <>
        {restored && dirty && (
          <Alert color="accent" variant="light" p="xs" mb="md">
            <Group justify="space-between" gap="xs">
              <Text size="sm">What you entered before is here again; it is not saved yet.</Text>
              <Button size="compact-sm" variant="default" onClick={startOver}>
                Start over
              </Button>
            </Group>
          </Alert>
        )}
        <LeaveGuard when={dirty && !busy} onDiscard={flush} />
      </>
    ),
  };
}
