import { normaliseBundle } from '@bidwell/contract/adsets/bundles';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { postalCodeOf } from '@bidwell/contract/targets/place-values';
import { domainToASCII } from 'node:url';
import { shortUserAgent } from './user-agent.ts';

/** Returns the value to store for the value of a field; undefined leaves the field out. */
export type Value = (value: unknown) => unknown;
/** The known fields of an object, or of each object of a list. */
export interface Fields {
  readonly [name: string]: Value | Fields | OperatorField;
}
/** A field that advertisers do not see. */
export class OperatorField {
  readonly field: Value | Fields;
  constructor(field: Value | Fields) {
    this.field = field;
  }
}

const CHARS_MAX = 255;
const NAME_CHARS_MAX = 100;
/** Characters of a postal code that the sample has. */
export const POSTAL_AREA_CHARS = 3;

const forOperators = (field: Value | Fields) => new OperatorField(field);

/** A number, a flag, or a text of the characters of codes, versions, content types and language tags. */
const code: Value = (value) => {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return typeof value === 'string' && value.length <= CHARS_MAX && /^[\w.+*/ -]*$/.test(value)
    ? value
    : undefined;
};

/** A floor; one that cannot be read remains one, as no bid follows from it. */
const floor: Value = (value) => (value === null ? undefined : (code(value) ?? 'unreadable'));

/** A content type, which some exchanges give parameters, or several with commas. */
const contentTypes: Value = (value) =>
  typeof value === 'string' && value.length <= CHARS_MAX && /^[\w.+*/ ,;=-]*$/.test(value)
    ? value
    : undefined;

/** A name of an app, a company or a device; one with an e-mail address is left out. */
const name: Value = (value) => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && !value.includes('@') ? value.slice(0, NAME_CHARS_MAX) : undefined;
};

/** An id that the exchange chose. */
const id: Value = (value) => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.length <= CHARS_MAX ? value : undefined;
};

/** The first characters of a postal code, which stand for an area of many. */
const postalArea: Value = (value) => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? postalCodeOf(text).slice(0, POSTAL_AREA_CHARS) || undefined : undefined;
};

/** The host of a domain or a URL. */
const host: Value = (value) => {
  if (typeof value !== 'string' || value.length > 2048) return undefined;
  const authority = value.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '');
  const [beforePath = ''] = authority.split(/[/?#]/, 1);
  const named = beforePath.slice(beforePath.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  const domain = /[^ -~]/.test(named) ? domainToASCII(named) : named;
  return domain.length <= CHARS_MAX && /^[a-z0-9*_][a-z0-9*_.-]*$/i.test(domain) ? domain : undefined;
};

/** The link of an app in its store; for any other URL, its host. */
const storeLink: Value = (value) => {
  if (typeof value !== 'string' || value.length > 2048) return undefined;
  return parseStoreLink(value)?.canonical ?? host(value);
};

/** A bundle id. Some exchanges send the store link in its place. */
const bundle: Value = (value) => {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.length > 2048) return undefined;
  const normalised = normaliseBundle(value);
  if (/^[\w.-]*$/.test(normalised) && normalised.length <= CHARS_MAX) return value.trim();
  return parseStoreLink(value)?.canonical;
};

const size = { w: code, h: code };
const supplyChain = { ver: code, complete: code, nodes: { asi: host, sid: id, hp: code } };

/** OpenRTB 2.6, 3.2.6 and 3.2.10. */
const banner: Fields = {
  ...size,
  wmin: code,
  hmin: code,
  wmax: code,
  hmax: code,
  format: { ...size, wratio: code, hratio: code, wmin: code },
  btype: code,
  battr: code,
  pos: code,
  mimes: contentTypes,
  topframe: code,
  expdir: code,
  api: code,
  vcm: code,
};

/** OpenRTB 2.6, 3.2.7 and 3.2.35. */
const video: Fields = {
  mimes: contentTypes,
  minduration: code,
  maxduration: code,
  startdelay: code,
  maxseq: code,
  poddur: code,
  podid: id,
  podseq: code,
  slotinpod: code,
  rqddurs: code,
  protocols: code,
  protocol: code,
  ...size,
  placement: code,
  plcmt: code,
  linearity: code,
  skip: code,
  skipmin: code,
  skipafter: code,
  mincpmpersec: floor,
  durfloors: { mindur: code, maxdur: code, bidfloor: floor },
  battr: code,
  maxextended: code,
  minbitrate: code,
  maxbitrate: code,
  boxingallowed: code,
  playbackmethod: code,
  playbackend: code,
  delivery: code,
  pos: code,
  api: code,
  companiontype: code,
  ext: forOperators({ rewarded: code, videotype: code }),
};

/** The native request (Native 1.2, 4). Up to 1.1 it has a root `native`. */
const nativeMarkup: Fields = {
  ver: code,
  layout: code,
  adunit: code,
  context: code,
  contextsubtype: code,
  plcmttype: code,
  plcmtcnt: code,
  seq: code,
  aurlsupport: code,
  durlsupport: code,
  privacy: code,
  assets: {
    id: code,
    required: code,
    title: { len: code },
    img: { type: code, ...size, wmin: code, hmin: code, mimes: contentTypes },
    video: { mimes: contentTypes, minduration: code, maxduration: code, protocols: code },
    data: { type: code, len: code },
  },
  eventtrackers: { event: code, methods: code },
};
/** A native request within a request, as an object. */
export const NATIVE_REQUEST: Fields = { ...nativeMarkup, native: nativeMarkup };

const imp: Fields = {
  id,
  banner,
  video,
  // `request` is a text with a native request; see `redact.ts`.
  native: { ver: code, api: code, battr: code, request: NATIVE_REQUEST, request_native: NATIVE_REQUEST },
  displaymanager: name,
  displaymanagerver: code,
  instl: code,
  bidfloor: floor,
  bidfloorcur: code,
  clickbrowser: code,
  secure: code,
  rwdd: code,
  exp: code,
  tagid: forOperators(id),
  pmp: forOperators({
    private_auction: code,
    deals: { id, bidfloor: code, bidfloorcur: code, at: code, wseat: id, wadomain: host },
  }),
  ext: forOperators({ rewarded: code, is_rewarded: code, reward: code }),
};

const app: Fields = {
  name,
  bundle,
  domain: host,
  storeurl: storeLink,
  url: storeLink,
  cattax: code,
  cat: name,
  sectioncat: name,
  pagecat: name,
  genre: name,
  ver: code,
  privacypolicy: code,
  paid: code,
  publisher: { id: forOperators(id), name, domain: host },
  id: forOperators(id),
  ext: forOperators({ genre: name }),
};

/**
 * Fields that describe the device and not its user (OpenRTB 2.6, 3.2.18): no address, no id, no location finer than a city and the area of a
 * postal code, which only operators see.
 */
const device: Fields = {
  ua: shortUserAgent,
  sua: { platform: { brand: name, version: code }, mobile: code },
  make: name,
  model: name,
  os: name,
  osv: name,
  hwv: name,
  ...size,
  ppi: code,
  pxratio: code,
  js: code,
  language: code,
  langb: code,
  carrier: name,
  mccmnc: code,
  connectiontype: code,
  devicetype: code,
  lmt: code,
  dnt: code,
  geo: {
    country: code,
    region: code,
    type: code,
    utcoffset: code,
    city: forOperators(name),
    zip: forOperators(postalArea),
  },
  ext: forOperators({ atts: code }),
};

const dsa: Fields = { dsarequired: code, pubrender: code, datatopub: code };

/**
 * The fields of a bid request (OpenRTB 2.6, 3.2) that the sample has, at every depth; all others are left out. Nothing in
 * them identifies a person. Deals, seats, the supply chain, ids of the exchange and the extensions that bidding reads are
 * for operators only.
 */
export const REQUEST_FIELDS: Fields = {
  id,
  imp,
  app,
  device,
  test: code,
  at: code,
  tmax: code,
  allimps: code,
  cur: code,
  wlang: code,
  wlangb: code,
  acat: code,
  bcat: code,
  cattax: code,
  badv: host,
  bapp: bundle,
  regs: {
    coppa: code,
    gdpr: code,
    gpp_sid: code,
    dsa,
    ext: forOperators({ coppa: code, gdpr: code, gpp_sid: code, dsa }),
  },
  wseat: forOperators(id),
  bseat: forOperators(id),
  source: forOperators({
    fd: code,
    omidpn: name,
    omidpv: code,
    schain: supplyChain,
    ext: { omidpn: name, omidpv: code, schain: supplyChain },
  }),
  // What request-sample.ts adds.
  ext: forOperators({ sample: { id: code, lat: code, lon: code } }),
};
