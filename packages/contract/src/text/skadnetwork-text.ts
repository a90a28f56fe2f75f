import type { TestedSigning } from '../operator/exchange-test.ts';
import type { UnsignedReason } from '../skadnetwork/outcomes.ts';

/** The conversion windows of SKAdNetwork 4.0 and AdAttributionKit by their number, with the days after the first launch. */
export const conversionWindowTexts = [
  'Window 0, days 0–2',
  'Window 1, days 3–7',
  'Window 2, days 8–35',
] as const;

/** Texts on the page of an app about its ad sets' source identifiers. */
export const sourceIdentifierTexts = {
  switchedOn:
    'Signing is switched on for this app. A postback names an ad set by its whole source identifier or by the last two or three digits; up to SKAdNetwork 3.0 the last two are the campaign.',
  noNetwork:
    'This installation has no ad network with a private key, so no bid is signed. The operator can add one.',
  switchedOff: 'Signing is not switched on for this app. The operator can switch it on.',
  noStoreId:
    'The store link of this app has no App Store ID, so no bid for it can be signed. Enter a link such as https://apps.apple.com/app/id525463029.',
  empty: 'No ad set has a source identifier yet. An ad set gets one when it begins to run.',
  /** With numbers of former App Store IDs only. */
  emptyOf: (itemId: number) =>
    `No ad set has a source identifier for the App Store ID ${itemId} yet. Ad sets that run get one within seconds once signing is switched on for it.`,
  former: (itemId: number) =>
    `For the App Store ID ${itemId}, which the app had before: postbacks with it still count`,
  without: (names: readonly string[]) =>
    `Without a source identifier: ${names.join(', ')}. Their bids are not signed yet.`,
};

/** Texts on the operator's screen about signing. */
export const operatorSigningTexts = {
  noNetwork: 'No ad network with a private key: no bid is signed',
  noNetworkYet:
    'None yet: no bid is signed. Make a key with OpenSSL and register an ad network with its public half at Apple, which gives it an id. Then add the id here with the private key.',
  newKey:
    'In PEM, on the curve P-256: the key whose public half Apple has. If it is left empty, a key is made here, which Apple does not know and which cannot be moved to another id.',
  development:
    'Of AdAttributionKit: they are then counted as tests, and otherwise as signed with an unknown key. They never count as installs.',
  verifiesDevelopment: 'Verifies postbacks of development devices, as tests',
  addressUnset: 'PUBLIC_URL is not set: this is an address of the machine, to which no device can send.',
  noneCounted: 'None that counts has arrived. Devices send them one to forty-one days after the install.',
  counted: (number: string) => `Counted: ${number}`,
  unknownApp:
    'Postbacks of an app that no company has with signed bids, or that several companies have without an ad set with the source identifier. They are not counted.',
};

const unsignedTexts: Record<UnsignedReason, string> = {
  no_network: 'there is no ad network with a private key',
  exchange_off: 'signing is off for this exchange',
  no_source_identifier:
    'its ad set has no source identifier: signing is off for the app, or the ad set has not got one yet, or none is left',
  no_object: 'the imp has neither ext.skadn nor ext.adattributionkit that can be read',
  not_listed: 'the request does not name our ad network',
  too_old: 'no version on offer is one that the device’s iOS has and we sign',
  no_source_app: 'the number of the publisher’s app is neither in sourceapp nor in app.bundle',
  too_long: 'the response would be longer than the exchange takes',
};

/** How a bid of a test is signed: `Signed for SKAdNetwork 4.0.`, `Not signed (not_listed): …`. */
export function signingText({ skadnetwork, adattributionkit, unsigned }: TestedSigning): string {
  if (unsigned !== null) return `Not signed (${unsigned}): ${unsignedTexts[unsigned]}.`;
  const frameworks = [
    ...(skadnetwork === null ? [] : [`SKAdNetwork ${skadnetwork}`]),
    ...(adattributionkit ? ['AdAttributionKit'] : []),
  ];
  const uncounted = skadnetwork === '2.0' ? ' Postbacks of SKAdNetwork 2.0 are not counted.' : '';
  return `Signed for ${frameworks.join(' and ')}.${uncounted}`;
}

/** Text of the report of postbacks for a range without any. */
export const postbackTexts = {
  empty: {
    title: 'No postbacks arrived in this range',
    text: 'They come one to four days after the first launch of the app, later ones after up to 41 days, and name the ad set by its source identifier.',
  },
  noIosApp: {
    title: 'No app of the App Store',
    text: 'Apple reports installs of apps of the App Store only. Postbacks appear here once bids for such an app are signed.',
  },
  signingOff: {
    title: 'Signing is switched off',
    text: 'No postbacks arrived in this range, and Apple reports installs only where bids are signed. The operator can switch signing on for an app.',
  },
};

/** How many exchanges the dialog names. */
const NAMED_MAX = 5;

/** The switches that stay on when an ad network is removed: names of exchanges, and the number of apps, null where it is not known. */
interface StillSigned {
  exchanges: readonly string[];
  apps: { count: number; isAtLeast: boolean } | null;
}

/** The paragraphs of the dialog that asks before an ad network is removed. */
export function networkRemovalTexts({ exchanges, apps }: StillSigned): readonly string[] {
  const more = exchanges.length - NAMED_MAX;
  const others = more > 0 ? ` and ${more} other ${more === 1 ? 'exchange' : 'exchanges'}` : '';
  const known = apps ?? { count: 0, isAtLeast: false };
  const parts = [
    ...(exchanges.length > 0 ? [`with ${exchanges.slice(0, NAMED_MAX).join(', ')}${others}`] : []),
    ...(known.count > 0
      ? [`for ${known.isAtLeast ? 'at least ' : ''}${known.count} ${known.count === 1 ? 'app' : 'apps'}`]
      : []),
  ];
  return [
    'Its private key is deleted, and no bid is signed for it any more. Postbacks of its ads that arrive after the removal are rejected and lost for good: devices do not send them again.',
    'They can arrive up to 140 days after the last bid. Switch signing off first, and remove the network once they have come.',
    ...(parts.length > 0 ? [`Signing is still on ${parts.join(', and ')}.`] : []),
  ];
}
