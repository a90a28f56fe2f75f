import type { ConnectionType, DeviceType } from '@bidwell/contract/reference/schema';
import { languageCodeOf } from '@bidwell/contract/reference/language';
import { memoizeText } from '../../../platform/memoize-text.ts';
import { type JsonObject, arrayOf, integerOf, objectOf, textOf } from '../json.ts';
import { countryCodeOf } from '../../model/country.ts';
import type { Identifiers } from '../../privacy/person-key.ts';
import type { Outline } from './outline.ts';
import { readPlace } from './read-place.ts';
import { privacyOf } from './read-privacy.ts';
import type { ParsedDevice } from '../../model/bid-request.ts';
import { normaliseBundle } from '@bidwell/contract/adsets/bundles';
import type { Os } from '@bidwell/contract/apps/fields';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';

/** OpenRTB 2.6, 3.2.18; AdCOM list "Connection Types". */
const connections: Record<number, ConnectionType> = {
  1: 'Ethernet',
  2: 'WiFi',
  3: 'Cellular',
  4: 'Celular2G',
  5: 'Celular3G',
  6: 'Celular4G',
  7: 'Celular5G',
};

/**
 * Reads `device` (OpenRTB 2.6, 3.2.18). The operating system may follow from the `app`. Personal data is included only where
 * {@link privacyOf} forbids no use of it.
 */
export function readDevice(
  device: JsonObject,
  app: JsonObject,
  user: JsonObject,
  regs: unknown,
  tcfVendorId: number | null,
): ParsedDevice {
  const userAgent = textOf(device['ua']).slice(0, USER_AGENT_CHARS_MAX);
  const model = modelOf(textOf(device['model']));
  const platform = objectOf(objectOf(device['sua'])['platform']);
  const os = osOf(textOf(device['os']), app, textOf(platform['brand']), model, userAgent);
  const withheldBy = privacyOf({ device, user, regs, tcfVendorId });
  const ifa = advertisingId(textOf(device['ifa']));
  // The id, the address and the user agent leave a bid only in links to measurement partners.
  const hasAddress = withheldBy('address') === null && withheldBy('partners') === null;
  const withheld = withheldBy('id') ?? withheldBy('partners');
  // What forbids the use of the address also forbids a precise location, and is known already.
  const place = readPlace(device, user, () => withheldBy('address') === null && withheldBy('place') === null);
  return {
    os,
    osVersion: versionIn(textOf(device['osv']) || arrayOf(platform['version'], 8).map(textOf).join('.')),
    model,
    type: deviceType(integerOf(device['devicetype'], 0), os, `${model} ${userAgent}`),
    connection: connections[integerOf(device['connectiontype'], 0)] ?? '',
    ...place,
    carrier: textOf(device['carrier']).slice(0, CARRIER_CHARS_MAX),
    networkCode: textOf(device['mccmnc']).slice(0, CARRIER_CHARS_MAX),
    language: languageOf(textOf(device['language']) || textOf(device['langb'])),
    ip: hasAddress ? (textOf(device['ip']) || textOf(device['ipv6'])).slice(0, ADDRESS_CHARS_MAX) : '',
    userAgent: hasAddress ? userAgent : '',
    ifa: withheld === null ? ifa : '',
    ifv: withheld === null ? idText(objectOf(device['ext'])['ifv']) : '',
    userId: withheld === null ? idText(user['id']) : '',
    listId: withheld === null && ifa !== '' && withheldBy('lists') === null ? ifa : '',
    idState: ifa === '' ? 'absent' : (withheld ?? 'usable'),
  };
}

/** What the outline of a request says of its device. */
export interface OutlinedDevice extends Pick<
  ParsedDevice,
  'os' | 'country' | 'type' | 'connection' | 'language'
> {
  /** As it was sent, without spaces around it. */
  address: string;
  userAgent: string;
}

/** Reads the device of an outline as {@link readDevice} does; null if its system or its country follows from other values. */
export function readOutlinedDevice(outline: Outline): OutlinedDevice | null {
  const stated = statedSystem(outline.text('os'));
  const country = countryCodeOf(outline.text('country'));
  if (stated === '' || country === '') return null;
  const os = stated === 'other' ? '' : stated;
  const userAgent = outline.text('userAgent');
  const code = integerOf(outline.number('deviceType'), 0);
  const isNamed = code > 1;
  const hints = isNamed
    ? ''
    : `${modelOf(outline.text('model'))} ${userAgent.slice(0, USER_AGENT_CHARS_MAX)}`;
  return {
    os,
    country,
    type: deviceType(code, os, hints),
    connection: connections[integerOf(outline.number('connectionType'), 0)] ?? '',
    language: languageOf(outline.text('language') || outline.text('languageTag')),
    address: (outline.text('ip') || outline.text('ipv6')).trim(),
    userAgent,
  };
}

/** The identifiers of the person of an outline, as {@link readDevice} reads them where consent allows them. */
export function readOutlinedIds(outline: Outline): Identifiers {
  const ifa = advertisingId(outline.text('ifa'));
  if (ifa !== '') return { ifa, ifv: '', userId: '', ip: '', userAgent: '', model: '' };
  return {
    ifa,
    ifv: idText(outline.text('ifv')),
    userId: idText(outline.text('userId')),
    ip: (outline.text('ip') || outline.text('ipv6')).slice(0, ADDRESS_CHARS_MAX),
    userAgent: outline.text('userAgent').slice(0, USER_AGENT_CHARS_MAX),
    model: modelOf(outline.text('model')),
  };
}

function modelOf(text: string): string {
  return text.trim().slice(0, MODEL_CHARS_MAX);
}

const VERSION_CHARS_MAX = 64;
const USER_AGENT_CHARS_MAX = 512;
const MODEL_CHARS_MAX = 100;
const CARRIER_CHARS_MAX = 100;
/** Enough for an IPv6 address with an embedded IPv4 address and a zone. */
const ADDRESS_CHARS_MAX = 64;

const versionIn = memoizeText(
  (text) => /\d+([._]\d+)*/.exec(text.slice(0, VERSION_CHARS_MAX))?.[0].replaceAll('_', '.') ?? '',
);

export const languageOf = memoizeText(languageCodeOf);

/** Codes of AdCOM 1.0, "Operating Systems", which some exchanges send instead of names. */
const systemCodes = new Map<string, ParsedDevice['os']>([
  ['2', 'android'],
  ['13', 'ios'],
]);

/**
 * The operating system that the device states. If it states none, the system of the app's store, or else the first
 * system that one of the other texts names. A stated other system wins: Windows Phone names Android in its user agent.
 */
function osOf(
  os: string,
  app: JsonObject,
  brand: string,
  model: string,
  userAgent: string,
): ParsedDevice['os'] {
  const stated = statedSystem(os);
  if (stated !== '') return stated === 'other' ? '' : stated;
  const store = storeOsOf(app);
  if (store !== '') return store;
  const branded = statedSystem(brand);
  if (branded !== '') return branded === 'other' ? '' : branded;
  return osIn(model) || osIn(userAgent);
}

/** Names of the other systems of that list, and of newer ones. Unknown words, such as placeholders, are no system. */
const OTHER_SYSTEMS =
  /windows|linux|ubuntu|mac ?os|os x|darwin|tv ?os|watch ?os|vision ?os|web ?os|chrome ?os|cros|fire ?os|firefox ?os|kai ?os|harmony|tizen|roku|symbian|black ?berry|rim os|bada|brew|meego|asha|series ?[346]0|bsd|playstation|xbox|nintendo/i;
const OTHER_CODE = /^(?:[1-9]|1\d|2[0-8])$/;

const statedSystem = memoizeText((text): ParsedDevice['os'] | 'other' => {
  const name = text.trim();
  const system = systemCodes.get(name) || osIn(name);
  if (system) return system;
  return OTHER_CODE.test(name) || OTHER_SYSTEMS.test(name) ? 'other' : '';
});

const osIn = memoizeText((text): ParsedDevice['os'] => {
  // These systems name Android or the iPhone too, for pages that look for them.
  if (/windows phone|iemobile|tizen|kaios/i.test(text)) return '';
  if (/\b(ios\b|iphone|ipad|ipod)/i.test(text)) return 'ios';
  return /android/i.test(text) ? 'android' : '';
});

/** Televisions, by their model or user agent. */
const TELEVISION = /\b(?:(?:smart|android|google|apple)[ -]?tv|bravia|aft[a-z]{1,2}\b|roku|crkey)/i;

/** AdCOM 1.0, "Device Types". */
function deviceType(code: number, os: ParsedDevice['os'], hints: string): DeviceType | '' {
  switch (code) {
    case 2:
      return 'Computer';
    case 3:
      return 'ConnectedTV';
    case 4:
      return 'Phone';
    case 5:
      return 'Tablet';
    case 6:
      return 'ConnectedDevice';
    case 7:
      return 'SetTopBox';
    case 8:
      return 'OutOfHome';
    case 0:
      if (TELEVISION.test(hints)) return 'ConnectedTV';
      return os === '' ? '' : handheld(hints);
    case 1:
      return handheld(hints);
    default:
      return '';
  }
}

function handheld(hints: string): DeviceType {
  return /ipad|tablet/i.test(hints) ? 'Tablet' : 'Phone';
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** Spellings of some exchanges: in braces or quotes, without hyphens. */
const OTHER_UUID = /^[{"']?([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})[}"']?$/i;

/** The advertising id in its usual spelling; '' if malformed or all zeros, which stands for an opt-out. */
function advertisingId(text: string): string {
  const ifa = UUID.test(text) ? text : (OTHER_UUID.exec(text.trim())?.slice(1).join('-') ?? '');
  return /^[0-]*$/.test(ifa) ? '' : ifa;
}

/** An id of an exchange or a vendor; '' if it is too long, or only zeros, which stand for an opt-out. */
function idText(value: unknown): string {
  const id = textOf(value).trim();
  return id.length > ID_CHARS_MAX || /^[0-]*$/.test(id) ? '' : id;
}

const ID_CHARS_MAX = 255;

/** The app that a store URL leads to; '' for text that is no store URL. */
interface Store {
  /** Package name or numeric store id, lower case. */
  id: string;
  os: Os | '';
}

/** Memoised, because parsing takes microseconds. */
export const storeIn = memoizeText((address): Store => {
  const link = parseStoreLink(address);
  return link ? { id: normaliseBundle(link.bundleId), os: link.os } : { id: '', os: '' };
});

/** The operating system of the store of a request's app, by its URLs; '' when they do not say. */
function storeOsOf(app: JsonObject): Os | '' {
  for (const address of [app['storeurl'], app['url'], app['bundle']]) {
    const text = textOf(address);
    const os = text.includes(':') || text.includes('/') ? storeIn(text).os : '';
    if (os !== '') return os;
  }
  return '';
}
