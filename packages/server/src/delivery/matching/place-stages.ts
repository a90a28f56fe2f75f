import type { Circle } from '@bidwell/contract/targets/place-values';
import type { Point } from '../model/bid-request.ts';
import type { IncludeExclude } from '../model/candidate.ts';
import { type Bitset, type Intersection, clearBit, createBitset, setBit } from '../model/bitset.ts';
import { boxOf, isWithin } from './geo-distance.ts';
import { Memo, Postings } from './stages.ts';

/**
 * Include and exclude lists with many values and few ad sets for each, such as cities. An empty include list admits all values;
 * exclusion takes precedence.
 */
export class ManyValuesStage {
  readonly #open: Bitset;
  readonly #including = new Postings();
  readonly #excluding = new Postings();
  readonly #memo = new Memo();

  constructor(size: number) {
    this.#open = createBitset(size);
  }

  /** Whether no ad set has a list, so that the values of requests do not matter. */
  get isEmpty(): boolean {
    return this.#including.empty && this.#excluding.empty;
  }

  add({ include, exclude }: IncludeExclude, index: number): void {
    if (include.size === 0) setBit(this.#open, index);
    for (const value of include) this.#including.add(value, index);
    for (const value of exclude) this.#excluding.add(value, index);
  }

  /** Keeps the ad sets that admit a request with these values. */
  narrow(fitting: Intersection, values: readonly string[]): void {
    const key = values.length === 1 ? values[0]! : values.join('\n');
    fitting.keep(this.#memo.of(key, () => this.#admitting(values)));
  }

  #admitting(values: readonly string[]): Bitset {
    const admitting = this.#open.slice();
    for (const value of values) for (const index of this.#including.get(value)) setBit(admitting, index);
    for (const value of values) for (const index of this.#excluding.get(value)) clearBit(admitting, index);
    return admitting;
  }
}

/** Circles that ad sets include and exclude. */
export interface Circles {
  include: readonly Circle[];
  exclude: readonly Circle[];
}

/** Circles around places. A request without a location of its device is in none of them. */
export class RadiusStage {
  readonly #open: Bitset;
  readonly #including = new CircleIndex();
  readonly #excluding = new CircleIndex();

  constructor(size: number) {
    this.#open = createBitset(size);
  }

  /** Whether no ad set has a circle. */
  get isEmpty(): boolean {
    return this.#including.isEmpty && this.#excluding.isEmpty;
  }

  add({ include, exclude }: Circles, index: number): void {
    if (include.length === 0) setBit(this.#open, index);
    for (const circle of include) this.#including.add(circle, index);
    for (const circle of exclude) this.#excluding.add(circle, index);
  }

  /** Keeps the ad sets that admit a request from this location; null is an unknown one. */
  narrow(fitting: Intersection, point: Point | null): void {
    if (!point) return fitting.keep(this.#open);
    const admitting = this.#open.slice();
    for (const index of this.#including.around(point)) setBit(admitting, index);
    for (const index of this.#excluding.around(point)) clearBit(admitting, index);
    fitting.keep(admitting);
  }
}

/** Width of a cell of the map, in degrees. */
const CELL = 2;
const CELLS_AROUND = 360 / CELL;

/** Ad sets by circle, found by the cells of the map that the box of a circle touches. */
class CircleIndex {
  readonly #circles = new Map<string, { circle: Circle; indexes: number[] }>();
  readonly #cells = new Map<number, { circle: Circle; indexes: number[] }[]>();

  get isEmpty(): boolean {
    return this.#circles.size === 0;
  }

  add(circle: Circle, index: number): void {
    // Ad sets mostly share circles: those of their target.
    const key = `${circle.lat} ${circle.lon} ${circle.km}`;
    const known = this.#circles.get(key);
    if (known) {
      known.indexes.push(index);
      return;
    }
    const entry = { circle, indexes: [index] };
    this.#circles.set(key, entry);
    for (const cell of cellsOf(circle)) {
      const entries = this.#cells.get(cell);
      if (entries) entries.push(entry);
      else this.#cells.set(cell, [entry]);
    }
  }

  /** The indexes of the ad sets with a circle around a location. */
  *around(point: Point): Generator<number> {
    const entries = this.#cells.get(cellOf(point.latitude, point.longitude));
    if (!entries) return;
    for (const { circle, indexes } of entries) {
      const { latitude } = boxOf(circle);
      if (Math.abs(point.latitude - circle.lat) <= latitude && isWithin(circle, point)) yield* indexes;
    }
  }
}

function cellOf(latitude: number, longitude: number): number {
  return rowOf(latitude) * CELLS_AROUND + columnOf(longitude);
}

const rowOf = (latitude: number): number => Math.floor((latitude + 90) / CELL);
const columnOf = (longitude: number): number =>
  ((Math.floor((longitude + 180) / CELL) % CELLS_AROUND) + CELLS_AROUND) % CELLS_AROUND;

/** The cells that the box of a circle touches. */
function cellsOf(circle: Circle): Set<number> {
  const { latitude, longitude } = boxOf(circle);
  const cells = new Set<number>();
  const rows = [rowOf(Math.max(-90, circle.lat - latitude)), rowOf(Math.min(90, circle.lat + latitude))];
  const columns = Math.min(CELLS_AROUND, Math.ceil((2 * longitude) / CELL) + 1);
  for (let row = rows[0]!; row <= rows[1]!; row += 1)
    for (let step = 0; step <= columns; step += 1)
      cells.add(row * CELLS_AROUND + columnOf(circle.lon - longitude + step * CELL));
  return cells;
}
