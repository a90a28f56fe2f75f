import type { UseFormReturnType } from '@mantine/form';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { hashKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import { claimDrafts, forgetDraft, readDraft, storeDraft } from '../../lib/draft.ts';
import { onSessionEnd, userId } from '../../lib/api/session.ts';
import { onReload } from '../../lib/load-code.ts';
import { toastInfo } from '../../lib/toast.ts';

const Stored = z.object({ owner: z.string(), values: z.record(z.string(), z.unknown()) });

/** Fields whose text is not left in a browser. */
const SECRET = /password|secret|token|code/i;

const forms = new Set<(owner: string) => void>();
let operatorId: () => string | null = () => null;

/** Sets what reads the id of the operator who is logged in. */
export function setOperatorOfInput(read: () => string | null): void {
  operatorId = read;
}

/** Who types: an operator in their console, else the user. */
const presentOwner = () => (location.pathname.startsWith('/operator') ? operatorId() : userId());

/**
 * Stores what is typed in forms that are not saved in this browser, for when `owner` opens them at the same address again:
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

/** What may be stored of values: text, numbers and lists of them, without secrets and files. */
function storable(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !SECRET.test(name) && !(value instanceof Blob)),
  );
}

/** Puts what {@link storeUnsavedInput} stored of this form back into it, and says so. */
export function useUnsavedInput<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  { isStoredElsewhere }: { isStoredElsewhere: boolean },
): void {
  const [key] = useState(() =>
    ['unsaved', location.pathname + location.search, hashKey([form.getInitialValues()])].join(' '),
  );
  const store = useEffectEvent((owner: string) => {
    if (form.isDirty()) storeDraft(key, { owner, values: storable(form.getValues()) });
  });
  const restore = useEffectEvent(() => {
    const stored = readDraft(key, Stored);
    if (!stored) return;
    forgetDraft(key);
    if (stored.owner !== presentOwner()) return;
    form.setValues(stored.values as Partial<Values>);
    toastInfo(consoleMessages.inputRestored);
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
