import { type Mmp, OPERATING_SYSTEMS } from '@bidwell/contract/apps/fields';
import { LISTING_FACTS } from '@bidwell/contract/measurement/partners/listing';
import { PARTNERS, postbackQueries } from '@bidwell/contract/measurement/partners/partners';
import { VIEW_FACTS } from '@bidwell/contract/measurement/partners/views';
import { adjustLinkCallback, postbackTemplates } from '@bidwell/contract/postbacks/schema';
import { TRACKING_MACROS, isTrackingMacro } from '@bidwell/contract/tracking-links/macros';

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

/** Stands in postbacks for the secret of each advertiser, which a partner stores as a field of the integration. */
const SECRET = 'ADVERTISER_SECRET';

/**
 * What a measurement partner has to know of this installation to list it as an ad network, as Markdown to send: links, macros, postbacks and
 * contacts to fill in. Pure.
 */
export function kitText(mmp: Mmp, { name, publicUrl, logoUrl, privacyUrl, networkIds }: KitOwner): string {
  const { name: partner, postbacks } = PARTNERS[mmp];
  const { apply, asks, notDocumented } = LISTING_FACTS[mmp];
  const links = linksOf(mmp, publicUrl);
  return [
    `# ${name} as an ad network at ${partner}`,
    `How to apply: ${apply}`,
    ...(asks === '' ? [] : [asks]),
    ...(notDocumented === '' ? [] : [`Not documented publicly: ${notDocumented}`]),
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
    list([
      'Company and address: [fill in]',
      'Website: [fill in]',
      'Integration: [name, mail address]',
      'Support of advertisers: [mail address]',
      'Privacy: [name, mail address]',
      'Billing: [name, mail address]',
    ]),
    '## Links',
    `The device opens the click link, and loads the view link once each time it shows an ad. ${VIEW_FACTS[mmp].form}`,
    ...links.map(({ label, value }) => `${label}:\n\n${code(value)}`),
    `Macros of ${name} in the links:`,
    list(
      macrosIn(links.map(({ value }) => value)).map((macro) => `\`{${macro}}\`: ${TRACKING_MACROS[macro]}`),
    ),
    'Advertising ids, the address and the user agent are empty where the device’s signals or the person’s consent do not allow their use.',
    '## Postbacks',
    `${name} takes postbacks by GET, and by POST as a form or JSON of at most 64 KB, and responds with 200 once a postback is stored. Repeated postbacks count once. ${SECRET} is a field of the integration, which each advertiser copies from ${name}.`,
    ...postbackTemplates(publicUrl, SECRET)
      .filter((template) => template.mmp === mmp)
      .map(({ purpose, value }) => `${purpose}:\n\n${code(value)}`),
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

/** The click and view links of a partner's template for each system. Pure. */
export function linksOf(mmp: Mmp, publicUrl: string): { label: string; value: string }[] {
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
