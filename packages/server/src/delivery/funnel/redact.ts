import { isIPv4, isIPv6 } from 'node:net';

type Fields = Record<string, unknown>;

/** Properties of the device that describe it and not its user (OpenRTB 2.6, 3.2.18). */
const DEVICE = [
  'ua',
  'make',
  'model',
  'os',
  'osv',
  'hwv',
  'h',
  'w',
  'ppi',
  'pxratio',
  'js',
  'language',
  'langb',
  'carrier',
  'mccmnc',
  'connectiontype',
  'devicetype',
  'lmt',
  'dnt',
] as const;
const GEO = ['country', 'region', 'type', 'utcoffset'] as const;
/** Properties of the app (3.2.14). Exchanges choose what is in its extension, so only the genre of that is included. */
const APP = [
  'id',
  'name',
  'bundle',
  'domain',
  'storeurl',
  'url',
  'cattax',
  'cat',
  'sectioncat',
  'pagecat',
  'ver',
  'privacypolicy',
  'paid',
  'publisher',
  'genre',
] as const;
/** Properties of a request besides the app and the device. Those of the user are left out. */
const REQUEST = [
  'id',
  'imp',
  'test',
  'at',
  'tmax',
  'wseat',
  'bseat',
  'allimps',
  'cur',
  'wlang',
  'wlangb',
  'acat',
  'bcat',
  'cattax',
  'badv',
  'bapp',
  'regs',
  'source',
] as const;

/**
 * A bid request without personal data: no user, no device id, no exact place; addresses without the part that names a
 * household (the last 8 bits of IPv4, all but 48 bits of IPv6). Null for anything but an object.
 */
export function redacted(request: unknown): Fields | null {
  if (!isFields(request)) return null;
  const { app, device } = request;
  return {
    ...chosen(request, REQUEST),
    ...(isFields(app) && { app: redactedApp(app) }),
    ...(isFields(device) && { device: redactedDevice(device) }),
  };
}

function redactedApp(app: Fields): Fields {
  const { ext } = app;
  return { ...chosen(app, APP), ...(isFields(ext) && { ext: chosen(ext, ['genre']) }) };
}

function redactedDevice(device: Fields): Fields {
  const { ip, ipv6, geo } = device;
  return {
    ...chosen(device, DEVICE),
    ...(isFields(geo) && { geo: chosen(geo, GEO) }),
    ...(typeof ip === 'string' && isIPv4(ip) && { ip: `${ip.slice(0, ip.lastIndexOf('.'))}.0` }),
    ...(typeof ipv6 === 'string' && isIPv6(ipv6) && { ipv6: network(ipv6) }),
  };
}

/** The first 48 bits of an IPv6 address. */
function network(address: string): string {
  const [head = ''] = address.split('::');
  return `${head.split(':').slice(0, 3).join(':')}::`;
}

function chosen(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
