import type { UseFormReturnType } from '@mantine/form';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { hashKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import { claimDrafts, deleteDraft, readDraft, storeDraft } from '../../lib/draft.ts';
import { onSessionEnd, userId } from '../../lib/api/session.ts';
import { isChanged } from './edited/is-changed.ts';
import { onReload } from '../../lib/load-code.ts';
import { toastInfo } from '../../lib/toast.ts';

const Stored = z.object({ owner: z.string(), values: z.record(z.string(), z.unknown()) });

/** Fields whose text is not left in a browser. */
const SECRET = /password|secret|token|code|_key$/i;

const forms = new Set<(owner: string) => void>();
let operatorId: () => string | null = () => null;

/** Sets what reads the id of the operator who is logged in. */
export function setOperatorOfInput(read: () => string | null): void {
  operatorId = read;
}

/** Who types: an operator in their console, else the user. */
const presentOwner = () => (location.pathname.startsWith('/operator') ? operatorId() : userId());

/**
 * Stores the unsaved input of forms in this browser, for when `owner` opens them at the same address again:
 * their session has ended, or the page is about to be reloaded. Forms with a draft have theirs already.
 */
export function storeUnsavedInput(owner: string | null): void {
  if (owner !== null) for (const store of forms) store(owner);
}
onReload(() => storeUnsavedInput(presentOwner()));
onSessionEnd(({ isOver, userId: owner }) => {
  if (!isOver || owner === null) return;
  // A session that a cookie of another page began has not claimed them.
  claimDrafts(owner);
  storeUnsavedInput(owner);
});

/** The values that may be stored: text, numbers and lists of them, without secrets and files. */
function storable(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !SECRET.test(name) && !(value instanceof Blob)),
  );
}

/** The values that {@link storeUnsavedInput} stores, and the function that restores them. */
interface StoredInput {
  /** Identifies the form among the others at its address. */
  name: string;
  isDirty: () => boolean;
  values: () => Record<string, unknown>;
  restore: (values: Record<string, unknown>) => void;
  /** The message once it is back. */
  says?: string;
  isStoredElsewhere?: boolean;
}

/** Stores the input as {@link storeUnsavedInput} does, restores it at the same address, and says so. */
function useStoredInput({
  name,
  isStoredElsewhere = false,
  says = consoleMessages.inputRestored,
  ...kept
}: StoredInput): void {
  const [key] = useState(() => ['unsaved', location.pathname + location.search, name].join(' '));
  const store = useEffectEvent((owner: string) => {
    if (kept.isDirty()) storeDraft(key, { owner, values: storable(kept.values()) });
  });
  const restore = useEffectEvent(() => {
    const stored = readDraft(key, Stored);
    if (!stored) return;
    deleteDraft(key);
    if (stored.owner !== presentOwner()) return;
    kept.restore(stored.values);
    toastInfo(says);
  });
  useEffect(() => {
    if (isStoredElsewhere) return undefined;
    restore();
    const storeThis = (owner: string) => store(owner);
    forms.add(storeThis);
    return () => {
      forms.delete(storeThis);
    };
  }, [isStoredElsewhere]);
}

/** Stores the input of a form whose session ends, restores it except for secrets and files, and says so. */
export function useUnsavedInput<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  { isStoredElsewhere = false }: { isStoredElsewhere?: boolean } = {},
): void {
  const [name] = useState(() => hashKey([form.getInitialValues()]));
  useStoredInput({
    name,
    isStoredElsewhere,
    isDirty: () => isChanged(form),
    values: () => form.getValues(),
    restore: (values) => form.setValues(values as Partial<Values>),
  });
}

/** State of a field that is no form of its own, kept as {@link useUnsavedInput} keeps forms. `name` is the name of the field. */
export function useTyped<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState(initial);
  useStoredInput({
    name,
    isDirty: () => hashKey([value]) !== hashKey([initial]),
    values: () => ({ value }),
    restore: (values) => setValue(values['value'] as Value),
  });
  return [value, setValue];
}

/** Files cannot be stored: says, where some were chosen and not uploaded when the session ended, that they are to be chosen again. */
export function useUnsentFiles(count: number): void {
  useStoredInput({
    name: 'files',
    isDirty: () => count > 0,
    values: () => ({}),
    restore: () => undefined,
    says: consoleMessages.filesNotKept,
  });
}
