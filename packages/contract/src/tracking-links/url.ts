import type { z } from 'zod';
import type { Mmp } from '../apps/schema.ts';
import { PARTNERS, mmpNames, mmpOfHost } from '../measurement/partners/partners.ts';
import { TRACKING_MACROS, type TrackingMacro, isTrackingMacro } from './macros.ts';
import { HttpUrl, HttpUrlOrEmpty, isHttpUrl } from '../lib/wire.ts';

/** A macro in a spelling that nothing fills. */
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

/**
 * Why the measurement partner cannot return the click id of a click URL, and how to correct it; null where it can. With the
 * partner of the app, the parameter of a link to that partner counts too.
 */
export function clickIdFault(url: string, mmp?: Mmp): string | null {
  // What follows # stays in the device.
  const sent = url.split('#', 1)[0]!;
  if (!mmp || !isLinkOf(mmp, sent) || Object.keys(PARTNERS[mmp].links.clickIdIn).length === 0)
    return hasClickId(sent)
      ? null
      : 'Add {click_id} where your measurement partner reads the click ID: without it no install is counted.';
  const [, query = ''] = /\?(.*)/s.exec(sent) ?? [];
  const returned = Object.entries(PARTNERS[mmp].links.clickIdIn);
  const values = (param: string) =>
    query.split('&').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at > 0 && paramName(pair.slice(0, at)) === param ? [pair.slice(at + 1)] : [];
    });
  // Which of several values a partner returns is not known.
  const isReturned = returned.some(([param]) => {
    const given = values(param);
    return (
      given.length > 0 &&
      given.every((value) => (isCallbackName(param) ? hasClickId(value) : isAnyClickId(value)))
    );
  });
  if (isReturned) return null;
  const places = returned.map(([param, macro]) => (isCallbackName(param) ? `${macro} in ${param}` : `${param}=${macro}`)); // prettier-ignore
  return `Add ${places.join(' or ')}: ${mmpNames[mmp]} returns no other click ID, and without it no install is counted.`;
}

/** The name of a parameter with its escapes replaced, such as `%7Eclick_id`; as it is where they cannot be read. */
export function paramName(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

const isCallbackName = (param: string) => param.endsWith('callback');

function isLinkOf(mmp: Mmp, url: string): boolean {
  const plain = url.replaceAll(/\{[^{}]*\}/g, 'x');
  return URL.canParse(plain) && mmpOfHost(new URL(plain).hostname) === mmp;
}

function isAnyClickId(text: string): boolean {
  return /^\{(?:click_id|install_token)\}$/.test(text);
}

function hasClickId(text: string): boolean {
  return /\{(?:click_id|install_token)\}/.test(text);
}

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
  const message = misspelt ? spellingText(misspelt) : clickIdFault(url);
  if (message !== null) context.addIssue({ code: 'custom', message });
}
