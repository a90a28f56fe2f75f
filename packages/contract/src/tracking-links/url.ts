import type { z } from 'zod';
import { TRACKING_MACROS, type TrackingMacro, isTrackingMacro } from './macros.ts';
import { HttpUrl, HttpUrlOrEmpty, isHttpUrl } from '../lib/wire.ts';

/** A misspelt macro, which is never filled. */
export interface MisspeltMacro {
  written: string;
  meant: TrackingMacro;
}

const macrosByLetters = new Map(
  (Object.keys(TRACKING_MACROS) as TrackingMacro[]).map((name) => [lettersOf(name), name]),
);

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** A name in braces, single or double, percent-encoded or not, as other platforms write macros. */
const MACRO_LIKE = /\$?(?:\{|%(?:25){0,2}7B){1,2}([a-z][a-z_-]{0,30})(?:\}|%(?:25){0,2}7D){1,2}/gi;

/**
 * The macros of a tracking URL that are not filled because of their spelling, such as `%7Bclick_id%7D`, `{CLICK_ID}`,
 * `{{click_id}}` or `${click_id}`. In the callback of a link, encoded names are the measurement partner's own macros, except
 * for those that only Bidwell has.
 */
export function misspeltMacros(url: string): MisspeltMacro[] {
  const found = new Map<string, TrackingMacro>();
  for (const pair of url.split('&')) {
    const isCallback = /callback|postback/i.test(pair.split('=', 1)[0]!.split('?').at(-1)!);
    for (const [written, name = ''] of pair.matchAll(MACRO_LIKE)) {
      const meant = macrosByLetters.get(lettersOf(name));
      if (!meant || (written === `{${name}}` && isTrackingMacro(name))) continue;
      const isOurs = meant === 'click_id' || meant === 'install_token';
      if (isCallback && !isOurs && written.startsWith('%')) continue;
      found.set(written, meant);
    }
  }
  return [...found].map(([written, meant]) => ({ written, meant }));
}

/** How to correct a misspelt macro. */
export function spellingText({ written, meant }: MisspeltMacro): string {
  return `Write {${meant}} in place of ${written}: only that spelling is filled.`;
}

/** Why a click URL returns no click id to any partner, and how to correct it; null where it sends one. Pure. */
export function clickIdMissing(url: string): string | null {
  return hasClickId(beforeFragment(url))
    ? null
    : 'Add {click_id} where your measurement partner reads the click ID: without it no install is counted.';
}

/** Whether a text has a macro that partners return as the click id. */
export function hasClickId(text: string): boolean {
  return /\{(?:click_id|install_token)\}/.test(text);
}

/** The part of a URL that is sent: the fragment after # stays in the device. */
export const beforeFragment = (url: string): string => url.split('#', 1)[0]!;

/** The view URL of a tracking link or a creative. Its macros are spelt as they are filled. */
export const ViewUrl = HttpUrl.superRefine(rejectMisspelt);

/** The click URL of a tracking link or a creative, which also sends a click id. */
export const ClickUrl = HttpUrl.superRefine(rejectWithoutClickId);

/** The same of API calls that may remove them: null and the empty string do, absent leaves the stored one. */
export const optionalViewUrl = HttpUrlOrEmpty.superRefine(rejectMisspelt).transform(orNull).nullish();
export const optionalClickUrl = HttpUrlOrEmpty.superRefine(rejectWithoutClickId).transform(orNull).nullish();

function orNull(url: string): string | null {
  return url || null;
}

function rejectMisspelt(url: string, context: z.RefinementCtx): void {
  const [misspelt] = isHttpUrl(url) ? misspeltMacros(url) : [];
  if (misspelt) context.addIssue({ code: 'custom', message: spellingText(misspelt) });
}

function rejectWithoutClickId(url: string, context: z.RefinementCtx): void {
  if (!isHttpUrl(url)) return;
  const [misspelt] = misspeltMacros(url);
  const message = misspelt ? spellingText(misspelt) : clickIdMissing(url);
  if (message !== null) context.addIssue({ code: 'custom', message });
}
