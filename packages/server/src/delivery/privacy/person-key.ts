import { createHmac } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { ParsedDevice } from '../model/bid-request.ts';
import { withHyphens } from '../model/device-id.ts';
import { hash64 } from '../../platform/hash-64.ts';
import type { Digest } from '../model/frequency.ts';

/** Block size of BLAKE2b. */
const HASH_BLOCK_BYTES = 128;
/** Longer identifiers, of which there are few, get a buffer of their own. */
const SHORT_BYTES = 384;
/** Bytes of UTF-8 for a unit of UTF-16. */
const UTF8_BYTES_MAX = 3;

/** What may identify the person of a request; '' for what is absent or may not be used. */
export type Identifiers = Pick<ParsedDevice, 'ifa' | 'ifv' | 'userId' | 'ip' | 'userAgent' | 'model'>;
interface Identified {
  ssp: string;
  device: Identifiers;
}

/** The key of the person of a request, by which impressions are counted; null where nothing that may be used identifies a person. */
export type PersonKeys = (request: Identified) => Digest | null;

/** What keys are for: no key of one purpose says which key a person has for another. */
const PURPOSES = {
  events: 'bidwell keys of people',
  sample: 'bidwell people of the request sample',
} as const;
type Purpose = keyof typeof PURPOSES;

/** The digests of identifiers under a secret. */
function digestsOf(secret: string, purpose: Purpose): (text: string) => Digest {
  // Shared by all calls: each is synchronous and uses it alone.
  const keyed = Buffer.alloc(HASH_BLOCK_BYTES + SHORT_BYTES);
  createHmac('sha256', secret).update(PURPOSES[purpose]).digest().copy(keyed);
  const key = keyed.subarray(0, HASH_BLOCK_BYTES);
  // BLAKE2b is not open to length extension, so the key can come first, as in its own keyed mode.
  return (text) => {
    const isShort = text.length * UTF8_BYTES_MAX <= SHORT_BYTES;
    if (!isShort) return hash64('blake2b512', Buffer.concat([key, Buffer.from(text)]));
    return hash64('blake2b512', keyed.subarray(0, HASH_BLOCK_BYTES + keyed.write(text, HASH_BLOCK_BYTES)));
  };
}

/** The keys that a person has by an id of a device: as its advertising id, and as its vendor's id, which keeps the spelling of the exchange. */
export function keysOfDevice(secret: string, id: string, purpose: Purpose = 'events'): Digest[] {
  const digestOf = digestsOf(secret, purpose);
  const spelt = withHyphens(id);
  return [ofAdvertising(spelt), ofVendor(spelt), ofVendor(spelt.replaceAll('-', ''))].map(digestOf);
}

const ofAdvertising = (id: string) => `ifa ${id.toLowerCase()}`;
const ofVendor = (id: string) => `ifv ${id.toLowerCase()}`;

/**
 * Creates {@link PersonKeys}: 64 bits of a keyed hash of the best identifier that the request allows to be used, in this order: the device's
 * advertising id, its vendor's id (IDFV), the exchange's id of the user, and its address with its user agent and model. The key of the hash comes
 * from a secret of the installation, so that all bidders have the same keys of people, and no one else can compute them.
 */
export function createPersonKeys(secret: string): PersonKeys {
  const digestOf = digestsOf(secret, 'events');
  return (request) => {
    const text = identifierOf(request);
    return text === null ? null : digestOf(text);
  };
}

/** A person of the request sample. */
export interface SamplePerson {
  /**
   * Of all people, one in 2^level has at least this level, 0 to 32. It is the same in all bidders, so that they choose the same people.
   */
  level: number;
  /** The key of the person in the sample. It differs from the key in the events. */
  key(): Digest;
}

/** People and requests of the request sample. */
export interface SamplePeople {
  /**
   * The person of a request, by the same identifiers as {@link createPersonKeys}. The level takes far less time than the key, which only the
   * requests that are stored need.
   */
  personOf(request: Identified): SamplePerson | null;
  /** The level of a request without a person, by its id. */
  levelOfRequest(id: string): number;
}

/** Creates {@link SamplePeople} with the secret of an installation. */
export function createSamplePeople(secret: string): SamplePeople {
  const digestOf = digestsOf(secret, 'sample');
  // Without the secret no one can make ids that are always in the sample.
  const seed = digestOf('level').high;
  return {
    personOf(request) {
      // Most people have an advertising id, which is hashed as it is: every request comes here.
      const { ifa } = request.device;
      const text = ifa === '' ? identifierOf(request) : ifa;
      if (text === null) return null;
      return { level: levelOf(text, seed), key: () => digestOf(ifa === '' ? text : ofAdvertising(ifa)) };
    },
    levelOfRequest: (id) => levelOf(id, seed),
  };
}

/** The number of leading zero bits of a hash, the same in upper and lower case (FNV-1a, with the finalizer of MurmurHash3). */
function levelOf(text: string, seed: number): number {
  let hashed = seed ^ 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1)
    hashed = Math.imul(hashed ^ (text.charCodeAt(at) | 0x20), 0x0100_0193);
  hashed = Math.imul(hashed ^ (hashed >>> 16), 0x85eb_ca6b);
  hashed = Math.imul(hashed ^ (hashed >>> 13), 0xc2b2_ae35);
  return Math.clz32(hashed ^ (hashed >>> 16));
}

/** What identifies the person of a request, with its kind in front. */
function identifierOf({ ssp, device }: Identified): string | null {
  if (device.ifa !== '') return ofAdvertising(device.ifa);
  if (device.ifv !== '') return ofVendor(device.ifv);
  if (device.userId !== '') return `user ${ssp} ${device.userId}`;
  // An address alone is of many people.
  if (device.ip === '' || device.userAgent === '') return null;
  return `address ${networkOf(device.ip)}\n${device.userAgent}\n${device.model}`;
}

/** An address of IPv4, or the first 64 bits of one of IPv6, of which a home or a device has all others. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  const [text = ''] = address.split('%', 1);
  const embedded = /:(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (embedded && /^::(ffff:)?[\d.]+$/i.test(text)) return embedded[1]!;
  const [front = '', back] = text.toLowerCase().split('::', 2);
  const words = front === '' ? [] : front.split(':');
  // `::` stands for as many zeros as are missing.
  if (back !== undefined) {
    const behind = back === '' ? 0 : back.split(':').length + (embedded ? 1 : 0);
    while (words.length + behind < 8) words.push('0');
  }
  return words
    .slice(0, 4)
    .map((word) => word.replace(/^0+(?=.)/, ''))
    .join(':');
}
