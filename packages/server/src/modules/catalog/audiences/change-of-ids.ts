import type { Author } from '../../../platform/actor.ts';
import type { ChangeRecord } from '../../changes/public.ts';
import type { ImportRow } from './store.ts';

/** From which part of its ids on a change of an audience that the server refreshes by itself is logged. */
const LARGE_CHANGE = 0.2;

/** Calls of one person or key within this time are one entry: programs send people one by one. */
const CALLS_TOGETHER_MS = 3_600_000;

/** The words of the change log. */
const MODES = { replace: 'Replaced', add: 'Added', remove: 'Removed' } as const;
const SOURCES = {
  upload: 'by a file',
  api: 'by the API',
  url: 'by the file at its address',
  rule: 'by its rule',
  partner: 'by AppsFlyer',
} as const;
/** Who refreshes an audience, where no person does. */
const SERVER_NAMES = { url: 'Daily refresh', partner: 'AppsFlyer' } as const;

/**
 * The entry of the change log for an import that is done, with its author; `before` and `after` are numbers of ids. Null for one that is not logged: a live audience that the
 * server computes every two minutes, and the daily refresh of an address or of a partner that changes the number of ids by less than
 * {@link LARGE_CHANGE}. Pure.
 */
export function changeOfIds(
  { audience_uuid: uuid, company_uuid: companyId, mode, source, requested_by: by }: ImportRow,
  { name, before, after }: { name: string; before: number; after: number },
): { author: Author; record: ChangeRecord } | null {
  // Ids that were there, or were not.
  if (mode !== 'replace' && after === before) return null;
  const record: ChangeRecord = {
    entity: 'audience',
    uuid,
    name,
    before: { ids: before, ids_changed: null },
    after: { ids: after, ids_changed: `${MODES[mode]} ${SOURCES[source]}` },
    ...(source === 'api' && mode !== 'replace' && { togetherMs: CALLS_TOGETHER_MS }),
  };
  if (by) return { author: { companyId, ...by }, record };
  const isLarge = Math.abs(after - before) >= Math.max(1, before) * LARGE_CHANGE;
  if (!isLarge || (source !== 'url' && source !== 'partner')) return null;
  return { author: { companyId, userId: null, name: SERVER_NAMES[source] }, record };
}
