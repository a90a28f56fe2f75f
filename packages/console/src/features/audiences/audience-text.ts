import { lineFaultTexts } from '@bidwell/contract/audiences/line-faults';
import type { Audience, AudienceImport, AudienceUse } from '@bidwell/contract/audiences/schema';
import { formatMoment, formatNumber, formatPercent } from '../../lib/format/format.ts';

/** Kinds of audiences by the words of the screen. */
export const KINDS: Readonly<Record<Audience['kind'], string>> = {
  list: 'List',
  url: 'Address',
  live: 'Live',
  partner: 'AppsFlyer',
};

/** What the audience of the people who have an app is. */
export const INSTALLED =
  'Made automatically: the people who have the app, as measurement partners report them';

/** States of audiences by the words of the screen. */
export const STATES: Readonly<Record<Audience['state'], string>> = {
  empty: 'No ids yet',
  importing: 'Importing',
  ready: 'Ready',
  failed: 'Import failed',
};

const SOURCES: Readonly<Record<AudienceImport['source'], string>> = {
  upload: 'File',
  api: 'Call',
  url: 'Address',
  rule: 'Rule',
  partner: 'AppsFlyer',
};
const MODES: Readonly<Record<AudienceImport['mode'], string>> = {
  replace: 'replaces all ids',
  add: 'adds ids',
  remove: 'removes ids',
};

/** `File, replaces all ids` */
export const importText = ({ source, mode }: AudienceImport): string => `${SOURCES[source]}, ${MODES[mode]}`;

/** What an import read, or how far it is, in a sentence. Pure. */
export function outcomeText(one: AudienceImport): string {
  if (one.state === 'waiting') return 'Waits for its turn';
  if (one.state === 'running') return `Reads the file: ${one.progress}%`;
  const read = `${formatNumber(one.ids)} ids in ${formatNumber(one.lines)} lines`;
  const repeated = one.duplicates > 0 ? `, ${formatNumber(one.duplicates)} repeated` : '';
  const invalid = one.invalid > 0 ? `, ${formatNumber(one.invalid)} without an id` : '';
  if (one.state === 'failed') return one.lines > 0 ? `${one.error}. Read: ${read}${invalid}` : `${one.error}`;
  return `${read}${repeated}${invalid}. The audience has ${formatNumber(one.size_after)} ids`;
}

/** `Line 3: no id` */
export const lineText = ({ line, fault }: AudienceImport['invalid_lines'][number]): string =>
  `Line ${formatNumber(line)}: ${lineFaultTexts[fault]}`;

/** The part of an audience's people whom bid requests had in a day; in words until a day is over. */
export const matchRateText = ({ matches, used_by: users }: Pick<Audience, 'matches' | 'used_by'>): string =>
  matches?.percent == null
    ? users.every((user) => user.is_idle)
      ? '–'
      : 'Not known yet'
    : formatPercent(matches.percent);

/** What look-ups found in a day, in a sentence. */
export function matchText({ matches, size }: Pick<Audience, 'matches' | 'size'>): string {
  if (!matches)
    return 'The match rate is not known yet: it is shown 24 hours after bid requests were first looked up in the audience.';
  const { look_ups: lookUps, found, people, percent, from, to } = matches;
  const rate = percent === null || size === 0 ? '' : `, ${formatPercent(percent)} of its ids`;
  return `From ${formatMoment(from)} to ${formatMoment(to)} about ${formatNumber(people)} of its people were in bid requests${rate}. ${formatNumber(found)} of ${formatNumber(lookUps)} look-ups found their person.`;
}

/** When an audience was last refreshed. */
export const refreshedText = ({ refreshed_at: at }: Audience): string =>
  at === null ? '–' : formatMoment(at);

/** What uses an audience: `Players (target, archived)` */
export function userText({ type, name, is_archived: isArchived }: AudienceUse): string {
  const notes = [...(type === 'target' ? ['target'] : []), ...(isArchived ? ['archived'] : [])];
  return notes.length === 0 ? name : `${name} (${notes.join(', ')})`;
}

/** The number of users of an audience: `2 ad sets, 1 target`. */
export function usersText(users: readonly AudienceUse[]): string {
  const count = (type: AudienceUse['type'], one: string, many: string) => {
    const number = users.filter((user) => user.type === type).length;
    return number === 0 ? [] : [`${formatNumber(number)} ${number === 1 ? one : many}`];
  };
  return [...count('adset', 'ad set', 'ad sets'), ...count('target', 'target', 'targets')].join(', ') || '–';
}
