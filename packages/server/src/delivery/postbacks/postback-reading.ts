import type { Mmp } from '@bidwell/contract/apps/schema';

/** Kind of a postback. Retargeting is a person who had the app before: a conversion, but no install. */
export type PostbackKind = 'install' | 'rejected' | 'retargeting' | 'event';

/** A postback's parameters, from its query and body. */
export type PostbackParameters = Readonly<Record<string, string>>;

/** Parameters that hold a click id, the most usual first. */
export const CLICK_ID_NAMES: readonly string[] = ['click_id', 'clickid', 'clickId', 'af_click_id'];

/** The click ids that a postback echoes, one for each parameter that has one. */
export function clickIdsOf(parameters: PostbackParameters): readonly string[] {
  return CLICK_ID_NAMES.map((name) => givenValue(parameters, name)).filter(Boolean);
}

/**
 * Determines the kind of a postback: an install, an install that the partner rejected as fraud, a retargeting conversion,
 * or an event in the app. Adjust: activity_kind and rejection_reason; AppsFlyer: blocked_reason, is_retargeting and
 * event_name; AppMetrica: conversion_event_name; any of them: is_rejected.
 */
export function postbackKind(mmp: Mmp, parameters: PostbackParameters): PostbackKind {
  const kind = kindOf(mmp, parameters);
  if (kind !== 'install') return kind;
  if (isTrue(parameters, 'is_rejected') || isTrue(parameters, 'rejected')) return 'rejected';
  return isTrue(parameters, 'is_retargeting') ? 'retargeting' : 'install';
}

function kindOf(mmp: Mmp, parameters: PostbackParameters): PostbackKind {
  switch (mmp) {
    case 'adjust': {
      const kind = lowerValue(parameters, 'activity_kind') || 'install';
      if (kind === 'install' || kind === 'reattribution')
        return kind === 'install'
          ? givenValue(parameters, 'rejection_reason')
            ? 'rejected'
            : 'install'
          : 'retargeting';
      return kind === 'rejected_install' ? 'rejected' : 'event';
    }
    case 'appsflyer': {
      const event = lowerValue(parameters, 'event_name') || lowerValue(parameters, 'event-name') || 'install';
      if (givenValue(parameters, 'blocked_reason') !== '') return event === 'install' ? 'rejected' : 'event';
      return event === 'install' ? 'install' : 'event';
    }
    case 'appmetrica':
      return givenValue(parameters, 'conversion_event_name') === '' ? 'install' : 'event';
  }
}

/** The partner's own reason for a rejection, as it names it; '' where it names none. */
export function rejectionOf(parameters: PostbackParameters): string {
  return givenValue(parameters, 'rejection_reason') || givenValue(parameters, 'blocked_reason');
}

/**
 * Time of the install as the partner reports it, in Unix ms; null where it does not. Adjust: installed_at; AppsFlyer:
 * install-unix-ts; AppMetrica: install_timestamp; all in seconds.
 */
export function installedAtMs(parameters: PostbackParameters): number | null {
  for (const name of ['installed_at', 'install-unix-ts', 'install_unix_ts', 'install_timestamp']) {
    const value = givenValue(parameters, name);
    if (/^\d{9,11}(\.\d+)?$/.test(value)) return Math.floor(Number(value) * 1000);
  }
  return null;
}

/** Partners write the names of kinds in any case. */
function lowerValue(parameters: PostbackParameters, name: string): string {
  return givenValue(parameters, name).toLowerCase();
}

function isTrue(parameters: PostbackParameters, name: string): boolean {
  return /^(1|true|yes)$/i.test(givenValue(parameters, name));
}

/** Placeholders that partners send for a missing value. */
const ABSENT = /^(null|undefined|none|nil|nan|n\/a|-|0{8}-0{4}-0{4}-0{4}-0{12})$/i;
/** A macro that was not replaced: a name in the delimiters of any partner, single or double. */
const UNFILLED = /^(\({1,2}[\w-]+\){1,2}|\$?\{{1,2}[\w-]+\}{1,2}|\[[\w-]+\]|<[\w-]+>|%%?[\w-]+%%?|#[\w-]+#)$/;

/** A parameter's value; '' where the partner had none, or did not replace its macro, percent-encoded or not. */
export function givenValue(parameters: PostbackParameters, name: string): string {
  const value = Object.hasOwn(parameters, name) ? parameters[name]!.trim() : '';
  return isGiven(value) ? value : '';
}

/** Whether a text is a value, and not empty, a placeholder of a missing one, or a macro that was not replaced. */
export function isGiven(text: string): boolean {
  const plain = text
    .trim()
    .replaceAll(/%(28|29|5B|5D|7B|7D|3C|3E|24)/gi, (escape) => decodeURIComponent(escape));
  return plain !== '' && !ABSENT.test(plain) && !UNFILLED.test(plain);
}
