import { Alert, Group, Text } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { readDraft, useDraft } from '../../lib/draft.ts';
import { SmallButton } from '../layout/buttons.tsx';
import { LeaveGuard } from './leave-guard.tsx';

/** Parses the stored values of a form; a draft that it rejects is ignored. */
export interface DraftSchema<Values> {
  safeParse: (raw: unknown) => { success: true; data: Values } | { success: false };
}

/** The draft of a form: its values, and what happens with them. */
export interface FormDraftOptions<Values, Base> {
  /** Unique per form and entity, such as `target.new`. */
  key: string;
  schema: DraftSchema<Values>;
  /** The current values of the form. */
  values: Values;
  /** The saved values that these are based on; undefined for a new entity. Others may save meanwhile, also while the draft waits. */
  base?: Base | undefined;
  /** Parses the base; the schema of the values, unless it is given. */
  baseSchema?: DraftSchema<Base> | undefined;
  /** Whether the values differ from the saved ones. */
  dirty: boolean;
  /** While saving, the navigation that follows is not blocked. */
  busy: boolean;
  /** False for a form in a drawer, which closes without a question: its draft is there when it opens again. */
  asksBeforeLeaving?: boolean;
  /** Whether the draft is also on the server, for everyone in the company. */
  isShared?: boolean;
  /** Called when the person leaves the form and discards what they typed. */
  onDiscard?: (() => void) | undefined;
  /**
   * Puts the values of a stored draft into the form; called once. `base` is null if it is not known: an earlier release stored
   * the draft, which had none.
   */
  onRestore: (draft: Values, base: Base | null) => void;
  /** Puts the saved values back into the form. */
  onReset: () => void;
}

export interface FormDraft {
  /** Call it once the form is saved: deletes the draft and disables the warning on leaving. */
  flush: () => void;
  /** Render it in the form: shows that a draft was restored, and asks before a dirty form is left. */
  notice: ReactNode;
}

/** Stores the values of a form in this browser until it is saved or discarded. */
export function useFormDraft<Values, Base = Values>(options: FormDraftOptions<Values, Base>): FormDraft {
  const { key, schema, values, dirty, busy, asksBeforeLeaving = true, onReset } = options;
  const { isShared = false, onDiscard } = options;
  const { base, baseSchema = schema as unknown as DraftSchema<Base> } = options;
  const [draft] = useState(() => readDraft(key, schema));
  const [draftBase] = useState(() => readDraft(baseKey(key), baseSchema));
  const [restored, setRestored] = useState(draft !== null);
  const flushValues = useDraft(key, dirty ? values : null);
  // Under a key of its own, so that an earlier release reads the draft.
  const flushBase = useDraft(baseKey(key), dirty ? (base ?? null) : null);
  const flush = () => {
    flushValues();
    flushBase();
  };
  const restore = useEffectEvent(options.onRestore);
  useEffect(() => {
    if (draft !== null) restore(draft, draftBase);
  }, [draft, draftBase]);
  const discard = () => {
    flush();
    onDiscard?.();
  };
  const startOver = () => {
    onReset();
    setRestored(false);
  };
  return {
    flush,
    notice: (
      <>
        {restored && dirty && <RestoredDraft onStartOver={startOver} />}
        {asksBeforeLeaving && <LeaveGuard when={dirty && !busy} onDiscard={discard} isShared={isShared} />}
      </>
    ),
  };
}

const baseKey = (key: string): string => `${key}.base`;

function RestoredDraft({ onStartOver }: { onStartOver: () => void }) {
  return (
    <Alert color="accent" variant="light" p="xs" mb="md" maw={1180} role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">Your draft was restored. It is not saved yet.</Text>
        <SmallButton onClick={onStartOver}>Start over</SmallButton>
      </Group>
    </Alert>
  );
}
