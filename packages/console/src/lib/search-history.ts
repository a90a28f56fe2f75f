import { limits } from '@bidwell/contract/lib/limits';
import { useLocalStorage } from '@mantine/hooks';
import { useKnown } from '../lib/loadable.ts';
import { accountQuery } from './api/account.ts';

/** A single letter matches too much to be worth storing. */
const SEARCH_CHARS_MIN = 2;

/**
 * `history` with `search` as its newest item: trimmed, deduplicated without regard to case, at most ten items. Pure.
 */
export function withSearch(history: readonly string[], search: string): readonly string[] {
  const added = search.trim();
  if (added.length < SEARCH_CHARS_MIN) return history;
  const others = history.filter((item) => item.toLowerCase() !== added.toLowerCase());
  return [added, ...others].slice(0, limits.listHistoryMax);
}

/** The latest searches in one list of one company, newest first, stored in this browser. */
export function useSearchHistory(list: string): [readonly string[], (search: string) => void] {
  const user = useKnown({ ...accountQuery, enabled: false });
  const [stored, setStored] = useLocalStorage<readonly string[]>({
    key: `bidwell.history.${user?.company.uuid ?? 'none'}.${list}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  // The storage may hold anything.
  const history = Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
  const add = (search: string) => {
    // Until the account is loaded there is no company to store it under.
    if (user) setStored(withSearch(history, search));
  };
  return [history, add];
}
