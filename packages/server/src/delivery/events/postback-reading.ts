import type { Mmp } from '@bidwell/contract/app';

/** What a postback reports, as far as it matters to us. */
export type PostbackKind = 'install' | 'rejected' | 'event';

/** A postback's parameters, from its query and body. */
export type PostbackParameters = Readonly<Record<string, string>>;

const clickIdNames = ['click_id', 'clickid', 'clickId', 'af_click_id'];

/** The click id that a postback echoes; '' when it has none. */
export function clickIdOf(parameters: PostbackParameters): string {
  for (const name of clickIdNames) {
    const value = valueOf(parameters, name);
    if (value !== '') return value;
  }
  return '';
}

/**
 * Whether a postback reports an install, an install that the partner rejected as fraud, or something that happened in
 * the app. Adjust: activity_kind; AppsFlyer: blocked_reason and event_name; AppMetrica: conversion_event_name.
 */
export function postbackKind(mmp: Mmp, parameters: PostbackParameters): PostbackKind {
  switch (mmp) {
    case 'adjust': {
      const kind = valueOf(parameters, 'activity_kind') || 'install';
      if (kind.startsWith('rejected')) return 'rejected';
      return kind === 'install' ? 'install' : 'event';
    }
    case 'appsflyer': {
      if (valueOf(parameters, 'blocked_reason') !== '') return 'rejected';
      const event = valueOf(parameters, 'event_name') || valueOf(parameters, 'event-name') || 'install';
      return event === 'install' ? 'install' : 'event';
    }
    case 'appmetrica':
      return valueOf(parameters, 'conversion_event_name') === '' ? 'install' : 'event';
  }
}

/** A parameter; '' also for a macro that the partner did not fill, and for what it writes in place of nothing. */
function valueOf(parameters: PostbackParameters, name: string): string {
  const value = parameters[name]?.trim() ?? '';
  return /^(\([\w-]+\)|\{[\w-]+\}|null|none|n\/a)$/i.test(value) ? '' : value;
}
