import { type Mmp, OPERATING_SYSTEMS } from '@bidwell/contract/apps/fields';
import { responseToLink, storePageOf } from '@bidwell/contract/measurement/partners/link-response';
import { PARTNERS, partnerInText, postbackQueries } from '@bidwell/contract/measurement/partners/partners';
import { VIEW_FACTS } from '@bidwell/contract/measurement/partners/views';
import { adjustLinkCallback, postbackTemplates } from '@bidwell/contract/postbacks/schema';
import {
  TRACKING_MACROS,
  fillTrackingMacros,
  isTrackingMacro,
} from '@bidwell/contract/tracking-links/macros';
import { sampleValues } from '@bidwell/contract/tracking-links/sample-values';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** What a kit says about this installation. */
export interface KitOwner {
  name: string;
  /** Where partners send postbacks, without a slash at its end. */
  publicUrl: string;
  logoUrl: string;
  privacyUrl: string | null;
  /** Ids of ad networks at Apple. */
  networkIds: readonly string[];
}

/** What partners ask an ad network for, and this installation does not know: the operator fills it in. */
export const CONTACTS = [
  { key: 'company', label: 'Company and address', form: 'fill in' },
  { key: 'website', label: 'Website', form: 'fill in' },
  { key: 'integration', label: 'Integration', form: 'name, mail address' },
  { key: 'support', label: 'Support for advertisers', form: 'mail address' },
  { key: 'privacy', label: 'Privacy', form: 'name, mail address' },
  { key: 'billing', label: 'Billing', form: 'name, mail address' },
] as const;
/** What the operator filled in. */
export type Contacts = Readonly<Partial<Record<(typeof CONTACTS)[number]['key'], string>>>;

/** Stands in postbacks for the secret of each advertiser, which a partner stores as a field of the integration. */
const SECRET = 'ADVERTISER_SECRET';

/**
 * What a measurement partner has to know of this installation to list it as an ad network, as Markdown to send: links, macros, postbacks and
 * contacts. What is not filled in is in square brackets. Pure.
 */
export function kitText(
  mmp: Mmp,
  { name, publicUrl, logoUrl, privacyUrl, networkIds }: KitOwner,
  contacts: Contacts,
): string {
  const { name: partner, postbacks, links: ofLinks } = PARTNERS[mmp];
  const placeholders = Object.keys(ofLinks.placeholders);
  const links = linksOf(mmp, publicUrl);
  return [
    `# ${name} as an ad network at ${partner}`,
    '## Network',
    list([
      `Name: ${name}`,
      `Logo: ${logoUrl}`,
      `Privacy policy: ${privacyUrl ?? '[address]'}`,
      ...(networkIds.length > 0
        ? [`Ids at Apple (SKAdNetwork, AdAttributionKit): ${networkIds.join(', ')}`]
        : []),
    ]),
    '## Contacts',
    list(CONTACTS.map(({ key, label, form }) => `${label}: ${contacts[key]?.trim() || `[${form}]`}`)),
    '## Links',
    `The device opens the click link when the person clicks. ${VIEW_FACTS[mmp].form}`,
    ...links.map(({ label, value }) => `${label}:\n\n${code(value)}`),
    ...(placeholders.length > 0
      ? [`Words in capitals are filled in for each advertiser: ${placeholders.join(', ')}.`]
      : []),
    `Macros of ${name} in the links:`,
    list(
      macrosIn(links.map(({ value }) => value)).map((macro) => `\`{${macro}}\`: ${TRACKING_MACROS[macro]}`),
    ),
    'Advertising ids, the address and the user agent are empty where the device’s signals or the person’s consent do not allow their use.',
    '## Postbacks',
    `${name} takes postbacks by GET, and by POST as a form or JSON of at most 64 KB, and responds with 200 once a postback is stored. Repeated postbacks count once. ${SECRET} is a field of the integration, which each advertiser copies from ${name}.`,
    ...postbacksOf(mmp, publicUrl).map(({ label, value }) => `${label}:\n\n${code(value)}`),
    ...(postbacks.replace ? [postbacks.replace] : []),
    ...(postbacks.undocumented.length > 0
      ? [`Please confirm the macros of: ${postbacks.undocumented.join(', ')}.`]
      : []),
    `${credentialText(mmp)} The parameters are ${parameterNames(mmp)}.`,
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

/** A part of a kit that a partner's form may ask for by itself. */
export interface KitPart {
  label: string;
  value: string;
}

/** The addresses of a partner's postbacks, with a word in place of the secret of each advertiser. Pure. */
export function postbacksOf(mmp: Mmp, publicUrl: string): KitPart[] {
  return postbackTemplates(publicUrl, SECRET)
    .filter((template) => template.mmp === mmp)
    .map(({ purpose, value }) => ({ label: purpose, value }));
}

/**
 * What a partner does with a link of a kit, as its documents say: the same responses as the tests of this release get, with sample values
 * in place of the macros. Pure.
 */
export function linkNote(mmp: Mmp, link: string): string {
  const partner = partnerInText(mmp);
  const values = sampleValues({ os: link.includes('{idfa}') ? 'ios' : 'android' }, 0);
  const address = Object.keys(PARTNERS[mmp].links.placeholders).reduce(
    (filled, word) => filled.replaceAll(word, word.toLowerCase().replaceAll('_', '-')),
    fillTrackingMacros(link, values),
  );
  const response = canParseUrl(address)
    ? responseToLink(new URL(address), storePageOf('com.example.app'))
    : null;
  if (response?.mmp !== mmp) return 'Where this link leads is not documented.';
  const end =
    response.kind === 'view' ? `${partner} takes the view` : `${partner} leads the click to the store`;
  return response.clickId === ''
    ? `As documented, ${end}. Where it reads the click id is not documented.`
    : `As documented, ${end}, and reads the click id.`;
}

/** The click and view links of a partner's template for each system. Pure. */
export function linksOf(mmp: Mmp, publicUrl: string): KitPart[] {
  const { click, view, device } = PARTNERS[mmp].links;
  return OPERATING_SYSTEMS.flatMap((os) =>
    (
      [
        ['Click link', click],
        ['View link', view],
      ] as const
    ).map(([kind, template]) => ({
      label: `${kind}, ${os === 'ios' ? 'iOS' : 'Android'}`,
      value: template
        .replace('<app>', os === 'ios' ? 'id1234567890' : 'com.example.app')
        .replace('<device>', device[os])
        .replace('<callback>', adjustLinkCallback(publicUrl)),
    })),
  );
}

function macrosIn(links: readonly string[]) {
  const names = links.flatMap((link) => [...link.matchAll(/\{(\w+)\}/g)].map(([, macro = '']) => macro));
  return [...new Set(names)].filter(isTrackingMacro);
}

function credentialText(mmp: Mmp): string {
  const { kind, header } = PARTNERS[mmp].postbacks.credential;
  return kind === 'signature'
    ? 'Postbacks may be signed with a secret of each advertiser.'
    : `A further token of each advertiser may come in the header ${header}.`;
}

function parameterNames(mmp: Mmp): string {
  const names = postbackQueries(mmp).flatMap(({ parameters }) => parameters.map(([name]) => name));
  return [...new Set(names)].join(', ');
}

const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
const code = (text: string) => `\`\`\`\n${text}\n\`\`\``;
