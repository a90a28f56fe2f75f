import type { Mmp } from '@bidwell/contract/apps/fields';
import {
  type Condition,
  type PostbackKind,
  nameKeyOf,
} from '@bidwell/contract/measurement/partners/description';
import {
  COMMON_PARAMETERS,
  REASON_PARAMETERS,
  kindRulesOf,
} from '@bidwell/contract/measurement/partners/event-rules';
import { isGiven } from './given-value.ts';
import { reportedTimeOf } from './reported-time.ts';

/** A postback's parameters, from its query and body. */
export type PostbackParameters = Readonly<Record<string, string>>;

/** Parameters that hold a click id, the most usual first. */
export const CLICK_ID_NAMES: readonly string[] = [
  'click_id',
  'clickid',
  'clickId',
  'af_click_id',
  // Branch's own object of an event.
  'last_attributed_touch_data.~click_id',
];

/** The click ids that a postback echoes, one for each parameter that has one. */
export function clickIdsOf(parameters: PostbackParameters): readonly string[] {
  return CLICK_ID_NAMES.map((name) => givenValue(parameters, name)).filter(Boolean);
}

/**
 * Determines the kind of a postback by the rules of its partner: an install, an install that the partner rejected as fraud, a
 * retargeting conversion, an event in the app, or something outside of it.
 */
export function postbackKind(mmp: Mmp, parameters: PostbackParameters): PostbackKind {
  return kindRulesOf(mmp).find((rule) => isMet(rule, parameters))?.kind ?? 'install';
}

/** Whether a condition of a partner's rules is met. */
export function isMet(
  { parameters: names, is, isNot, isNamed }: Condition,
  parameters: PostbackParameters,
): boolean {
  if (isNamed) return isNamed.has(nameKeyOf(firstGiven(parameters, names)));
  return names.some((name) => {
    // Partners write the names of kinds in any case.
    const value = givenValue(parameters, name).toLowerCase();
    if (value === '') return false;
    return is ? is.includes(value) : !isNot?.includes(value);
  });
}

/** The partner's own reason for a rejection, as it names it; '' where it names none. */
export function rejectionOf(parameters: PostbackParameters): string {
  return firstGiven(parameters, REASON_PARAMETERS);
}

/** Time of the install as the partner reports it, in Unix ms; null where it does not, or it cannot be read. */
export function installedAtMs(parameters: PostbackParameters): number | null {
  for (const name of COMMON_PARAMETERS.installAt) {
    const atMs = reportedTimeOf(givenValue(parameters, name));
    if (atMs !== null) return atMs;
  }
  return null;
}

/** Objects in which partners nest values, as JSON: their members are parameters named `event_data.revenue`. */
const NESTED_IN: ReadonlySet<string> = new Set(['event_data', 'last_attributed_touch_data', 'user_data']);

/** The parameters of a postback by their names in lower case, with the members of nested objects. */
const foldedParameters = new WeakMap<PostbackParameters, ReadonlyMap<string, string>>();

function foldedOf(parameters: PostbackParameters): ReadonlyMap<string, string> {
  const known = foldedParameters.get(parameters);
  if (known) return known;
  const folded = new Map<string, string>();
  const add = (name: string, value: string) => {
    if (!isGiven(folded.get(name) ?? '')) folded.set(name, value);
  };
  for (const [name, value] of Object.entries(parameters)) add(name.toLowerCase(), value);
  for (const name of NESTED_IN)
    for (const [member, value] of membersOf(folded.get(name) ?? ''))
      add(`${name}.${member.toLowerCase()}`, value);
  foldedParameters.set(parameters, folded);
  return folded;
}

/** The members of a JSON object as texts; empty for any other text. */
export function membersOf(text: string): readonly [name: string, value: string][] {
  if (!text.trimStart().startsWith('{')) return [];
  try {
    return Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  } catch {
    return [];
  }
}

/** The value of the first of some parameters that is given; '' for none. */
export function firstGiven(parameters: PostbackParameters, names: readonly string[]): string {
  for (const name of names) {
    const value = givenValue(parameters, name);
    if (value !== '') return value;
  }
  return '';
}

/**
 * A parameter's value, with its name in any case, also as the member of an object; '' where the partner had none, or did not replace its
 * macro, percent-encoded or not.
 */
export function givenValue(parameters: PostbackParameters, name: string): string {
  const own = Object.hasOwn(parameters, name) ? parameters[name]!.trim() : '';
  if (isGiven(own)) return own;
  const value = foldedOf(parameters).get(name.toLowerCase())?.trim() ?? '';
  return isGiven(value) ? value : '';
}
