import type { Micros } from '@bidwell/contract/lib/money';
import { impNoBidReason, requestNoBidReason } from '../auction/auction.ts';
import {
  carrierKeysOf,
  cityKeysOf,
  deviceIdKeyOf,
  postalKeysOf,
  regionKeysOf,
} from '../matching/place-keys.ts';
import { NO_LEVEL, type SampledPerson } from '../funnel/request-sample.ts';
import { requestProfileOf } from '../matching/request-profile.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';

/** Restrictions of a request: blocked and allowed apps, advertisers and categories, languages, transparency rules. */
export type Terms = Pick<
  ParsedRequest,
  'blockedApps' | 'blockedAdvertisers' | 'blockedCategories' | 'allowedCategories' | 'languages'
> & { needsAdvertiser: boolean };

/** A request of the sample that is added. */
export interface AddedRequest {
  request: ParsedRequest;
  atMs: number;
  /** The number of requests that it stands for. */
  weight: number;
  /** Its person, and how it was chosen; absent where that is not known. */
  by?: SampledPerson;
  /** The audiences of its person; absent where they are not known. */
  memberships?: SampledMemberships;
}

/** The audiences of the person of a request. */
export interface SampledMemberships {
  /** The audiences that the bidder had, with a name of them. */
  name: string;
  loaded: ReadonlySet<string>;
  /** The audiences of these that have the person; null for a person who must not be looked up, or has no id. */
  audiences: readonly string[] | null;
}

/** Requests of a part of the sample, a column for each property; {@link SampleColumns} defines the codes. */
export interface Chunk {
  size: number;
  firstMs: number;
  lastMs: number;
  atMs: Float64Array;
  weight: Float64Array;
  /** See `SampledPerson`. */
  person: Float64Array;
  personLevel: Uint8Array;
  level: Uint8Array;
  os: Uint8Array;
  /** 1 first price, 2 second price plus. */
  auctionType: Uint8Array;
  exchange: Uint16Array;
  country: Uint16Array;
  osVersion: Uint16Array;
  model: Uint16Array;
  deviceTypes: Uint16Array;
  connections: Uint16Array;
  language: Uint16Array;
  genres: Uint16Array;
  bundle: Uint16Array;
  terms: Uint16Array;
  utcOffset: Uint16Array;
  region: Uint16Array;
  city: Uint16Array;
  postalCode: Uint16Array;
  carrier: Uint16Array;
  deviceId: Uint16Array;
  memberships: Uint16Array;
  /** Degrees; NaN where the location is not known. */
  latitude: Float32Array;
  longitude: Float32Array;
  /** The index of the first imp of each request, and at the end the number of imps. */
  impsFrom: Uint32Array;
  imps: { placement: Uint16Array; floorCpmMicros: Float64Array };
}

const UNKNOWN_PERSON: SampledPerson = { person: 0, personLevel: 0, level: NO_LEVEL };

/** Requests in a chunk; old requests are evicted by the chunk. */
const CHUNK_SIZE = 4096;
/** Imps of a request that are replayed; few requests have more. */
const IMPS_MAX = 8;
const TEXT_CHARS_MAX = 4_000_000;
const TERMS_CHARS_MAX = 16_000_000;
const PLACEMENTS_MAX = 20_000;
const SYSTEMS = ['', 'ios', 'android'] as const;

/** The code of an operating system in a chunk. */
export function systemCodeOf(os: 'ios' | 'android' | ''): number {
  return SYSTEMS.indexOf(os);
}

/**
 * Sampled bid requests in memory, as columns of codes: about 90 bytes a request. Bounded: beyond `requestsMax` the oldest
 * chunk is evicted; a publisher's app, model or version for which there is no code counts as unknown, and a request with
 * other properties without a code is left out.
 */
export class SampleColumns {
  readonly exchange = new Dictionary<string>(TEXT_CHARS_MAX);
  readonly country = new Dictionary<string>(TEXT_CHARS_MAX);
  readonly osVersion = unknownFirst<string>('');
  readonly model = unknownFirst<string>('');
  readonly deviceTypes = new Dictionary<readonly string[]>(TEXT_CHARS_MAX);
  readonly connections = new Dictionary<readonly string[]>(TEXT_CHARS_MAX);
  readonly language = new Dictionary<string>(TEXT_CHARS_MAX);
  readonly genres = new Dictionary<readonly string[]>(TEXT_CHARS_MAX);
  /** Minutes ahead of UTC; null where the request does not say. */
  readonly utcOffset = new Dictionary<number | null>(TEXT_CHARS_MAX);
  readonly bundle = unknownFirst<string>('');
  readonly terms = new Dictionary<Terms>(TERMS_CHARS_MAX);
  /** Keys as matching/place-keys.ts makes them. */
  readonly region = keysFirstNone();
  readonly city = keysFirstNone();
  readonly postalCode = keysFirstNone();
  readonly carrier = keysFirstNone();
  readonly deviceId = new Dictionary<string>(TEXT_CHARS_MAX);
  /** The code 0 is for audiences that are not known. */
  readonly memberships = unknownFirst<SampledMemberships | 'unknown'>('unknown');
  readonly placement = new Dictionary<ParsedImp>(TERMS_CHARS_MAX, PLACEMENTS_MAX);
  readonly #requestsMax: number;
  readonly #secure: boolean;
  #chunks: Chunk[] = [];
  #open: Chunk | null = null;
  #size = 0;

  /** `secure`: whether our images and tracking URLs use https. */
  constructor(requestsMax: number, secure: boolean) {
    this.#requestsMax = requestsMax;
    this.#secure = secure;
  }

  /** Number of requests, including requests on which no ad set could bid. */
  get size(): number {
    return this.#size;
  }

  get chunks(): readonly Chunk[] {
    return this.#chunks;
  }

  /** Adds a request, unless a dictionary is full; without imps if no ad set could bid on it. */
  add({ request, atMs, weight, by = UNKNOWN_PERSON, memberships }: AddedRequest): void {
    const codes = this.#codesOf(request);
    if (!codes) return;
    const chunk = this.#chunkFor(atMs);
    const row = chunk.size;
    chunk.atMs[row] = atMs;
    chunk.weight[row] = weight;
    chunk.person[row] = by.person;
    chunk.personLevel[row] = by.personLevel;
    chunk.level[row] = by.level;
    chunk.memberships[row] = this.#membershipsCodeOf(memberships);
    chunk.os[row] = systemCodeOf(request.device.os);
    chunk.auctionType[row] = request.auctionType;
    for (const name of CODED) chunk[name][row] = codes[name];
    chunk.latitude[row] = request.device.point?.latitude ?? NaN;
    chunk.longitude[row] = request.device.point?.longitude ?? NaN;
    let imp = chunk.impsFrom[row]!;
    for (const { placement, floorCpmMicros } of codes.imps) {
      growImps(chunk, imp);
      chunk.imps.placement[imp] = placement;
      chunk.imps.floorCpmMicros[imp] = floorCpmMicros;
      imp += 1;
    }
    chunk.size = row + 1;
    chunk.impsFrom[row + 1] = imp;
    this.#size += 1;
    while (this.#size > this.#requestsMax && this.#chunks.length > 1) this.#evictOldest();
  }

  /** Evicts chunks whose requests are all older than `beforeMs`. */
  evict(beforeMs: number): void {
    while (this.#chunks.length > 0 && oldestOf(this.#chunks).lastMs < beforeMs) this.#evictOldest();
  }

  /** Whether values no longer get codes, so that the sample should be read anew. */
  get isFull(): boolean {
    return [
      this.osVersion,
      this.model,
      this.bundle,
      this.terms,
      this.placement,
      this.genres,
      this.memberships,
    ].some(({ isFull }) => isFull);
  }

  #codesOf(request: ParsedRequest): (Record<Coded, number> & { imps: CodedImp[] }) | null {
    const profile = requestProfileOf(request);
    const { device } = request;
    const terms = termsOf(request);
    const lists = {
      deviceTypes: profile.deviceTypes,
      connections: profile.connections,
      genres: profile.genres,
    };
    const codes = {
      exchange: this.exchange.codeOf(request.ssp, () => request.ssp),
      country: this.country.codeOf(device.country, () => device.country),
      osVersion: this.osVersion.codeOf(device.osVersion, () => device.osVersion) ?? 0,
      model: this.model.codeOf(profile.model, () => profile.model) ?? 0,
      deviceTypes: this.deviceTypes.codeOf(lists.deviceTypes.join('\n'), () => lists.deviceTypes),
      connections: this.connections.codeOf(lists.connections.join('\n'), () => lists.connections),
      language: this.language.codeOf(device.language, () => device.language),
      genres: this.genres.codeOf(lists.genres.join('\n'), () => lists.genres),
      bundle: this.bundle.codeOf(profile.bundle, () => profile.bundle) ?? 0,
      terms: this.terms.codeOf(JSON.stringify(terms), () => terms),
      utcOffset: this.utcOffset.codeOf(String(device.utcOffsetMinutes), () => device.utcOffsetMinutes),
      region: keyCodeOf(this.region, regionKeysOf(device)),
      city: keyCodeOf(this.city, cityKeysOf(device)),
      postalCode: keyCodeOf(this.postalCode, postalKeysOf(device)),
      carrier: keyCodeOf(this.carrier, carrierKeysOf(device)),
      deviceId: this.deviceId.codeOf(deviceIdKeyOf(device), () => deviceIdKeyOf(device)),
    };
    const imps = this.#impsOf(request);
    if (imps === null || Object.values(codes).includes(null)) return null;
    return { ...(codes as Record<Coded, number>), imps };
  }

  #membershipsCodeOf(memberships: SampledMemberships | undefined): number {
    if (memberships === undefined) return 0;
    const key = `${memberships.name} ${memberships.audiences?.join() ?? 'none'}`;
    return this.memberships.codeOf(key, () => memberships) ?? 0;
  }

  /** The imps on which an ad set could bid; null when one has no code. */
  #impsOf(request: ParsedRequest): CodedImp[] | null {
    if (requestNoBidReason(request)) return [];
    const imps: CodedImp[] = [];
    for (const imp of request.imps) {
      if (imps.length >= IMPS_MAX) break;
      if (impNoBidReason(imp, { secure: this.#secure })) continue;
      const plain = { ...imp, id: '', floorCpmMicros: 0 };
      const placement = this.placement.codeOf(JSON.stringify(plain), () => plain);
      if (placement === null) return null;
      imps.push({ placement, floorCpmMicros: imp.floorCpmMicros });
    }
    return imps;
  }

  #chunkFor(atMs: number): Chunk {
    let chunk = this.#open;
    if (!chunk || chunk.size >= CHUNK_SIZE) {
      this.#open = chunk = createChunk(atMs);
      this.#chunks.push(chunk);
    }
    chunk.firstMs = Math.min(chunk.firstMs, atMs);
    chunk.lastMs = Math.max(chunk.lastMs, atMs);
    return chunk;
  }

  #evictOldest(): void {
    const oldest = oldestOf(this.#chunks);
    this.#chunks = this.#chunks.filter((chunk) => chunk !== oldest);
    this.#size -= oldest.size;
    if (this.#open === oldest) this.#open = null;
  }
}

const CODED = [
  'exchange',
  'country',
  'osVersion',
  'model',
  'deviceTypes',
  'connections',
  'language',
  'genres',
  'bundle',
  'terms',
  'utcOffset',
  'region',
  'city',
  'postalCode',
  'carrier',
  'deviceId',
] as const;
type Coded = (typeof CODED)[number];

interface CodedImp {
  placement: number;
  floorCpmMicros: Micros;
}

/** A dictionary with the code 0 for every value for which there is no room. */
function unknownFirst<Value extends string | object>(unknown: Value & string): Dictionary<Value> {
  const dictionary = new Dictionary<Value>(TEXT_CHARS_MAX);
  dictionary.codeOf(unknown, () => unknown);
  return dictionary;
}

/** A dictionary of keys, with the code 0 for none and for every value for which there is no room. */
function keysFirstNone(): Dictionary<readonly string[]> {
  const dictionary = new Dictionary<readonly string[]>(TEXT_CHARS_MAX);
  dictionary.codeOf('', () => []);
  return dictionary;
}

function keyCodeOf(dictionary: Dictionary<readonly string[]>, keys: readonly string[]): number {
  return dictionary.codeOf(keys.join('\n'), () => keys) ?? 0;
}

function termsOf(request: ParsedRequest): Terms {
  const { blockedApps, blockedAdvertisers, blockedCategories, allowedCategories, languages, dsa } = request;
  return {
    blockedApps,
    blockedAdvertisers,
    blockedCategories,
    allowedCategories,
    languages,
    needsAdvertiser: dsa?.required === true,
  };
}

function createChunk(atMs: number): Chunk {
  const codes = () => new Uint16Array(CHUNK_SIZE);
  return {
    size: 0,
    firstMs: atMs,
    lastMs: atMs,
    atMs: new Float64Array(CHUNK_SIZE),
    weight: new Float64Array(CHUNK_SIZE),
    person: new Float64Array(CHUNK_SIZE),
    personLevel: new Uint8Array(CHUNK_SIZE),
    level: new Uint8Array(CHUNK_SIZE),
    os: new Uint8Array(CHUNK_SIZE),
    auctionType: new Uint8Array(CHUNK_SIZE),
    exchange: codes(),
    country: codes(),
    osVersion: codes(),
    model: codes(),
    deviceTypes: codes(),
    connections: codes(),
    language: codes(),
    genres: codes(),
    bundle: codes(),
    terms: codes(),
    utcOffset: codes(),
    region: codes(),
    city: codes(),
    postalCode: codes(),
    carrier: codes(),
    deviceId: codes(),
    memberships: codes(),
    latitude: new Float32Array(CHUNK_SIZE),
    longitude: new Float32Array(CHUNK_SIZE),
    impsFrom: new Uint32Array(CHUNK_SIZE + 1),
    imps: { placement: new Uint16Array(CHUNK_SIZE), floorCpmMicros: new Float64Array(CHUNK_SIZE) },
  };
}

function growImps(chunk: Chunk, used: number): void {
  const { placement, floorCpmMicros } = chunk.imps;
  if (used < placement.length) return;
  const grown = { placement: new Uint16Array(2 * used), floorCpmMicros: new Float64Array(2 * used) };
  grown.placement.set(placement);
  grown.floorCpmMicros.set(floorCpmMicros);
  chunk.imps = grown;
}

function oldestOf(chunks: readonly Chunk[]): Chunk {
  return chunks.reduce((oldest, chunk) => (chunk.lastMs < oldest.lastMs ? chunk : oldest));
}

/** Highest number of values of a dictionary: codes are 16 bits wide. */
const VALUES_MAX = 65_535;

/** Codes for the distinct values of a column, in the order in which they were added. Bounded in number and size. */
class Dictionary<Value> {
  readonly #codes = new Map<string, number>();
  readonly #charsMax: number;
  readonly #valuesMax: number;
  #chars = 0;
  readonly values: Value[] = [];

  constructor(charsMax: number, valuesMax = VALUES_MAX) {
    this.#charsMax = charsMax;
    this.#valuesMax = valuesMax;
  }

  /** The code of a value, which is new if `key` is; null when the dictionary is full. */
  codeOf(key: string, valueOf: () => Value): number | null {
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    if (this.isFull || this.#chars + key.length > this.#charsMax) return null;
    const code = this.values.length;
    this.#codes.set(key, code);
    this.#chars += key.length;
    this.values.push(valueOf());
    return code;
  }

  get isFull(): boolean {
    return this.values.length >= this.#valuesMax || this.#chars >= this.#charsMax;
  }

  /** For each code, 1 where `accepts` its value. */
  table(accepts: (value: Value) => boolean): Uint8Array {
    return Uint8Array.from(this.values, (value) => (accepts(value) ? 1 : 0));
  }
}
