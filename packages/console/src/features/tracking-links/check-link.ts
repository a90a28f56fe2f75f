import { MMPS } from '@bidwell/contract/apps/fields';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { isTrackingMacro } from '@bidwell/contract/tracking-links/macros';
import { misspeltMacros, spellingText } from '@bidwell/contract/tracking-links/url';
import { messages } from '@bidwell/contract/text/messages';
import { trackingLinkMessages } from '@bidwell/contract/tracking-links/messages';
import { containsSecret } from '@bidwell/contract/postbacks/schema';
import { type ParsedLink, macrosIn, nearestMacro, parseLink } from './parsed-link.ts';
import { checkWithMmp } from './check-mmp.ts';
import { type Finding, type UrlField, error, missingClickId, warning } from './findings.ts';
import type { LinkedApp } from '../../entities/measurement/linked-app.ts';

/**
 * Validates the URLs of a tracking link; errors come first, an empty URL has none. While `app` is undefined, only
 * rules for all partners apply. `secret` is the company's postback secret, which no URL may contain. Macros are the ones
 * of `fillTrackingMacros`. Pure.
 */
export function checkLinks(
  urls: Readonly<Record<UrlField, string>>,
  app: LinkedApp | undefined,
  secret = '',
): Record<UrlField, Finding[]> {
  const click = parseLink(urls.click_url);
  const view = parseLink(urls.view_url);
  return {
    click_url: checkSecret(urls.click_url, secret).concat(
      checkUrl('click_url', urls.click_url, click, view, app),
    ),
    view_url: checkSecret(urls.view_url, secret).concat(
      checkUrl('view_url', urls.view_url, view, click, app),
      urls.view_url.trim() !== '' && urls.view_url.trim() === urls.click_url.trim()
        ? [error('This is the click URL: every view would be counted as a click.')]
        : [],
    ),
  };
}

/** A postback URL with a secret, current or replaced. */
const SECRET_URL = /\/postback\/[a-z]{1,20}\/(?!click\/)[\w-]{30,}/;

function checkSecret(text: string, secret: string): Finding[] {
  return containsSecret(text, [secret]) || SECRET_URL.test(decoded(text))
    ? [error(trackingLinkMessages.linkContainsSecret)]
    : [];
}

function checkUrl(
  field: UrlField,
  text: string,
  address: ParsedLink | null,
  other: ParsedLink | null,
  app: LinkedApp | undefined,
): Finding[] {
  if (text.trim() === '') return [];
  if (address === null) return [error(messages.httpUrl)];
  const findings = [
    ...checkSyntax(text, address),
    ...checkPlaceholders(text),
    ...checkMacros(text, app),
    ...(app ? checkWithMmp(field, address, other, app) : checkClickId(field, text)),
  ];
  return findings.toSorted((a, b) => a.level.localeCompare(b.level));
}

function checkSyntax(text: string, { protocol, params }: ParsedLink): Finding[] {
  const findings: Finding[] = [];
  if (protocol === 'http:') findings.push(error('Use https://: phones and partners reject plain http.'));
  if (/\s/.test(text.trim())) findings.push(error('The URL contains a space.'));
  const names = params.map(({ name }) => name);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  if (twice.size > 0) findings.push(warning(`Repeated parameters: ${[...twice].join(', ')}.`));
  return findings;
}

/** The placeholders of all partners' templates, since a link may have been filled in for another app. */
const PLACEHOLDERS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...MMPS.map((mmp) => PARTNERS[mmp].links.placeholders),
);

function checkPlaceholders(text: string): Finding[] {
  const words = new Set(decoded(text).match(/\b[A-Z_]+\b/g));
  return Object.entries(PLACEHOLDERS).flatMap(([word, meaning]) =>
    words.has(word) ? [error(`Replace ${word} with ${meaning}.`)] : [],
  );
}

function checkMacros(text: string, app: LinkedApp | undefined): Finding[] {
  const misspelt = misspeltMacros(text);
  const findings: Finding[] = misspelt.map((macro) => error(spellingText(macro)));
  const rest = misspelt.reduce((left, { written }) => left.replaceAll(written, ''), text);
  for (const name of macrosIn(rest)) {
    if (isTrackingMacro(name)) continue;
    const meant = nearestMacro(name);
    const own =
      app?.mobile_measurement_partner === 'adjust' ? ` If it is a macro of Adjust, write %7B${name}%7D.` : '';
    findings.push(
      error(`{${name}} is not a macro and is not replaced.${meant ? ` Did you mean {${meant}}?` : own}`),
    );
  }
  if (/[{}]/.test(rest.replaceAll(/\{[^{}]*\}/g, ''))) findings.push(error('A brace has no matching brace.'));
  return findings;
}

function checkClickId(field: UrlField, text: string): Finding[] {
  return text.includes('{click_id}') ? [] : [missingClickId(field, undefined)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
