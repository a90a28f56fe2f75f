import { useEffect, useState, useSyncExternalStore } from 'react';
import { createDraft, discardDraft, updateDraft } from '../../../entities/campaigns/draft-queries.ts';
import { useMay } from '../../../lib/api/use-may.ts';
import { viewing } from '../../../lib/api/viewing.ts';
import { DraftSaver, type DraftState } from './draft-saver.ts';

/** The draft of a form on the server. */
export interface ServerDraft {
  saver: DraftSaver;
  state: DraftState;
}

/** The saver of a form's values on the server, and its state. */
export function useServerDraft(
  options: Pick<ConstructorParameters<typeof DraftSaver>[0], 'key' | 'opened' | 'hasTyped'>,
): ServerDraft {
  const [saver] = useState(
    () =>
      new DraftSaver({
        ...options,
        calls: { create: createDraft, update: updateDraft, discard: discardDraft },
      }),
  );
  return { saver, state: useSyncExternalStore(saver.subscribe, saver.current) };
}

/** Stores values while they are typed, where the person may change campaigns; null if there is nothing to store. */
export function useStoredValues({ saver }: ServerDraft, values: Record<string, unknown> | null): void {
  const mayStore = useMay('campaign.write') && viewing === null;
  const json = mayStore && values !== null ? JSON.stringify(values) : null;
  useEffect(() => {
    if (json !== null) saver.change(JSON.parse(json) as Record<string, unknown>);
  }, [saver, json]);
  useEffect(() => {
    const flush = () => saver.flush();
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [saver]);
}
