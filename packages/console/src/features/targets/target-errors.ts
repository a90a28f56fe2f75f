import type { Os } from '@bidwell/contract/apps/fields';
import type { PhoneModel } from '@bidwell/contract/reference/schema';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { targetMessages } from '@bidwell/contract/targets/messages';
import { osNames } from '../../lib/format/os-names.ts';
import type { TargetNames } from './target-names.ts';
import { joinWords } from './phrases.ts';
import { placeErrors } from './place-words.ts';
import { includedOnly } from './reach.ts';

/** A probable mistake in a target. `reachesNoOne`: the target reaches no one. */
export interface TargetError {
  text: string;
  reachesNoOne: boolean;
}

const kinds = [
  ['location', 'countries', 'country'],
  ['language', 'languages', 'language'],
  ['genre', 'genres', 'genre'],
  ['exchange', 'exchanges', 'exchange'],
] as const;

/** The message when the newest version is older than the oldest; "12" as the newest includes every 12.x. */
export function versionError(
  min: string | null | undefined,
  max: string | null | undefined,
): string | undefined {
  if (!min || !max) return undefined;
  const [low, high] = [min.split('.').map(Number), max.split('.').map(Number)];
  const at = high.findIndex((part, index) => part !== (low[index] ?? 0));
  return at >= 0 && high[at]! < (low[at] ?? 0) ? targetMessages.versionOrder : undefined;
}

/** Contradictions in a target. Unknown apps and lists that are still loading cause none. Pure. */
export function targetErrors(
  os: Os | undefined,
  target: TargetSettings,
  names: TargetNames,
  /** Undefined while they are not known. */
  models: readonly PhoneModel[] | undefined,
): TargetError[] {
  const errors: TargetError[] = [];
  for (const [kind, many, one] of kinds) {
    const [include, exclude] = [target[`${kind}_include`], target[`${kind}_exclude`]];
    const both = include.filter((value) => exclude.includes(value));
    if (both.length === 0) continue;
    const reachesNoOne = includedOnly(include, exclude).length === 0;
    const valueNames = joinWords(both.map((value) => (one === 'genre' ? value : names[one](value))));
    errors.push({
      reachesNoOne,
      text: reachesNoOne
        ? `All ${many} to include are excluded too.`
        : `${valueNames} ${both.length === 1 ? 'is' : 'are'} in both lists of ${many}: the exclusion takes precedence.`,
    });
  }
  errors.push(...placeErrors(target, names));
  const left = target.audience_include.find(
    (group) => group.length > 0 && includedOnly(group, target.audience_exclude).length === 0,
  );
  if (left)
    errors.push({
      reachesNoOne: true,
      text: `${joinWords(left.map((uuid) => `“${names.audience(uuid)}”`))}: included, and left out too.`,
    });
  const versionMessage = versionError(target.device_min_os_version, target.device_max_os_version);
  if (versionMessage) errors.push({ reachesNoOne: true, text: `${versionMessage}.` });
  if (os === undefined) return errors;
  if (target.device_os.length > 0 && !target.device_os.some((system) => system.toLowerCase() === os)) {
    errors.push({
      reachesNoOne: true,
      text: `The operating system is not the app’s, which is ${osNames[os]}.`,
    });
  }
  if (!models) return errors;
  const vendors = new Map(models.map(({ value, vendor }) => [value, vendor]));
  const foreign = target.device_models.filter((model) => {
    const vendor = vendors.get(model);
    return vendor !== undefined && (vendor === 'Apple') !== (os === 'ios');
  });
  if (foreign.length > 0) {
    errors.push({
      reachesNoOne: foreign.length === target.device_models.length,
      text: `${joinWords(foreign.map(names.model))}: not made for ${osNames[os]}, the app’s operating system.`,
    });
  }
  return errors;
}
