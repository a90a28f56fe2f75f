import type { MarketKey } from './market-fits.ts';

/**
 * Imps of the sample on which an ad set could bid, one column for each property. An imp that several of its formats fit is
 * divided among them.
 */
export interface Opportunities {
  size: number;
  /** Index in `markets`. */
  market: Uint32Array;
  /** Number of requests that it stands for. */
  weight: Float64Array;
  floorCpmMicros: Float64Array;
  /** The CPM bid for its publisher or country, where the ad set has one; 0 otherwise. */
  ownCpmMicros: Float64Array;
  /** The factor of the ad set's multipliers. */
  factor: Float64Array;
  installRate: Float64Array;
  /** See `InstallMicrosOf`. */
  installMicros: Float64Array;
  /** The highest value among the rivals, micros per thousand, and the share of the time in which it bids. */
  rivalCpmMicros: Float64Array;
  rivalShare: Float64Array;
  /** The request: imps that several formats fit have one for each, one after another. */
  request: Uint32Array;
  /** When the request came, Unix ms, and its person, from 1 on; 0 where there is none, or people do not matter. */
  atMs: Float64Array;
  person: Uint32Array;
  /** Number of people. */
  people: number;
  markets: (MarketKey & { isSecondPrice: boolean })[];
}

const SIZE = 1024;

/** None yet. */
export function noOpportunities(): Opportunities {
  const column = (): Float64Array => new Float64Array(SIZE);
  return {
    size: 0,
    market: new Uint32Array(SIZE),
    weight: column(),
    floorCpmMicros: column(),
    ownCpmMicros: column(),
    factor: column(),
    installRate: column(),
    installMicros: column(),
    rivalCpmMicros: column(),
    rivalShare: column(),
    request: new Uint32Array(SIZE),
    atMs: column(),
    person: new Uint32Array(SIZE),
    people: 0,
    markets: [],
  };
}

/** Doubles the room of all columns. */
export function grow(found: Opportunities): void {
  const doubled = (column: Float64Array): Float64Array => {
    const larger = new Float64Array(2 * column.length);
    larger.set(column);
    return larger;
  };
  const doubledCodes = (column: Uint32Array): Uint32Array => {
    const larger = new Uint32Array(2 * column.length);
    larger.set(column);
    return larger;
  };
  found.market = doubledCodes(found.market);
  found.request = doubledCodes(found.request);
  found.person = doubledCodes(found.person);
  found.atMs = doubled(found.atMs);
  found.weight = doubled(found.weight);
  found.floorCpmMicros = doubled(found.floorCpmMicros);
  found.ownCpmMicros = doubled(found.ownCpmMicros);
  found.factor = doubled(found.factor);
  found.installRate = doubled(found.installRate);
  found.installMicros = doubled(found.installMicros);
  found.rivalCpmMicros = doubled(found.rivalCpmMicros);
  found.rivalShare = doubled(found.rivalShare);
}

/** Fewest people of a part of the opportunities, if there are as many. */
const PEOPLE_MIN = 30;

/**
 * Every n-th request without a person and all requests of every n-th person, so that about `most` opportunities remain. They stand for all: the
 * weight of both kinds stays as it is.
 */
export function thinned(found: Opportunities, most: number): Opportunities {
  const every = Math.ceil(found.size / most);
  if (every <= 1) return found;
  const everyPerson = Math.max(1, Math.min(every, Math.floor(found.people / PEOPLE_MIN)));
  const picked: number[] = [];
  /** Weights without a person, and with one: of all, and of the picked. */
  const all = [0, 0];
  const ofPicked = [0, 0];
  for (let at = 0; at < found.size; at += 1) {
    const person = found.person[at]!;
    const kind = person === 0 ? 0 : 1;
    all[kind]! += found.weight[at]!;
    if ((person === 0 ? at % every : person % everyPerson) !== 0) continue;
    picked.push(at);
    ofPicked[kind]! += found.weight[at]!;
  }
  const some = { ...found, ...columnsAt(found, picked) };
  for (let at = 0; at < some.size; at += 1) {
    const kind = some.person[at] === 0 ? 0 : 1;
    some.weight[at]! *= all[kind]! / ofPicked[kind]!;
  }
  return some;
}

/** The opportunities without a person, and then person by person in the order of time. Yields at regular intervals. */
export function* byPerson(found: Opportunities): Generator<undefined, Opportunities> {
  const ends = new Uint32Array(found.people + 2);
  for (let at = 0; at < found.size; at += 1) ends[found.person[at]! + 1]! += 1;
  for (let person = 1; person < ends.length; person += 1) ends[person]! += ends[person - 1]!;
  yield;
  const starts = ends.slice();
  const order = new Uint32Array(found.size);
  for (let at = 0; at < found.size; at += 1) order[starts[found.person[at]!]!++] = at;
  yield;
  const earlier = (a: number, b: number): number => found.atMs[a]! - found.atMs[b]! || a - b;
  for (let person = 1; person <= found.people; person += 1) {
    order.subarray(ends[person], ends[person + 1]).sort(earlier);
    if (person % 256 === 0) yield;
  }
  return { ...found, ...columnsAt(found, order) };
}

/** The columns at some indices. */
function columnsAt(found: Opportunities, indices: ArrayLike<number> & Iterable<number>) {
  const numbers = (column: Float64Array): Float64Array => Float64Array.from(indices, (at) => column[at]!);
  const codes = (column: Uint32Array): Uint32Array => Uint32Array.from(indices, (at) => column[at]!);
  return {
    size: indices.length,
    market: codes(found.market),
    weight: numbers(found.weight),
    floorCpmMicros: numbers(found.floorCpmMicros),
    ownCpmMicros: numbers(found.ownCpmMicros),
    factor: numbers(found.factor),
    installRate: numbers(found.installRate),
    installMicros: numbers(found.installMicros),
    rivalCpmMicros: numbers(found.rivalCpmMicros),
    rivalShare: numbers(found.rivalShare),
    request: codes(found.request),
    atMs: numbers(found.atMs),
    person: codes(found.person),
  };
}
