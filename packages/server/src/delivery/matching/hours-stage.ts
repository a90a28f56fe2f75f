import { hourOfWeekAt, hourOfWeekBy } from '@bidwell/contract/lib/calendar';
import { DAY_HOURS, WEEK_HOURS } from '@bidwell/contract/adsets/hours';
import { type Bitset, type Intersection, createBitset, isEmpty, setBit } from '../model/bitset.ts';
import type { CompiledHours } from '../model/candidate.ts';
import type { ParsedDevice } from '../model/bid-request.ts';
import { regionKeysOf } from './place-keys.ts';
import { zoneOfPlace } from './place-zones.ts';

/** All clocks change their hour at a quarter of an hour in UTC. */
const QUARTER_MS = 15 * 60_000;
const ZONES_MAX = 1000;

/** The hour of the week in a time zone at an instant, 0 for Monday 00:00. */
export type ZoneClock = (atMs: number, timeZone: string) => number;

/** A {@link ZoneClock} that remembers the hours of the last quarter of an hour: computing one takes microseconds. */
export function zoneClock(): ZoneClock {
  const known = new Map<string, number>();
  let knownQuarter = NaN;
  return (atMs, timeZone) => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    if (quarter !== knownQuarter || known.size > ZONES_MAX) {
      known.clear();
      knownQuarter = quarter;
    }
    let hour = known.get(timeZone);
    if (hour === undefined) known.set(timeZone, (hour = hourOfWeekAt(quarter * QUARTER_MS, timeZone)));
    return hour;
  };
}

/** The properties of a device that say what time it has. */
export interface DeviceTime extends Pick<ParsedDevice, 'utcOffsetMinutes' | 'country'> {
  /** As `regionKeysOf` gives them. */
  regions: readonly string[];
}

/** What a request says of the time on its device. */
export function deviceTimeOf(device: ParsedDevice): DeviceTime {
  const { utcOffsetMinutes, country } = device;
  return { utcOffsetMinutes, country, regions: utcOffsetMinutes === null ? regionKeysOf(device) : [] };
}

/**
 * The hour of the week on a device, by the offset that the request states, else by its region or country; null where none is
 * known.
 */
function deviceHour(
  { utcOffsetMinutes, country, regions }: DeviceTime,
  atMs: number,
  clock: ZoneClock,
): number | null {
  if (utcOffsetMinutes !== null) return hourOfWeekBy(atMs, utcOffsetMinutes);
  const zone = zoneOfPlace(country, regions);
  return zone === null ? null : clock(atMs, zone);
}

/** The hour of the day, 0 to 23, for an ad set whose hours are in the time of the device or of its company. */
export function hourOfDay(
  { zone, timeZone }: Pick<CompiledHours, 'zone' | 'timeZone'>,
  device: DeviceTime,
  atMs: number,
  clock: ZoneClock,
): number {
  const ofDevice = zone === 'device' ? deviceHour(device, atMs, clock) : null;
  return (ofDevice ?? clock(atMs, timeZone)) % DAY_HOURS;
}

/** Whether an ad set with these hours may bid on a request of a device. */
export function isOpen(
  { open, zone, timeZone }: CompiledHours,
  device: DeviceTime,
  atMs: number,
  clock: ZoneClock,
): boolean {
  const ofDevice = zone === 'device' ? deviceHour(device, atMs, clock) : null;
  return open[ofDevice ?? clock(atMs, timeZone)] === 1;
}

interface Scheduled {
  hours: CompiledHours;
  index: number;
}

/** Hours of ad sets, in the time of the company or of the device. */
export class HoursStage {
  readonly #size: number;
  readonly #clock = zoneClock();
  readonly #byCompany: Scheduled[] = [];
  readonly #byDevice: Scheduled[] = [];
  /** The ad sets that are closed in the quarter of an hour `#quarter`; null for none. */
  #closed: Bitset | null = null;
  /** Likewise the ad sets by the device's time, where that is not known: the time of their companies counts. */
  #closedElsewhere: Bitset | null = null;
  #quarter = NaN;
  /** Likewise by the hour of the week on the device; undefined until it is needed. */
  readonly #closedByHour: (Bitset | null)[] = Array.from({ length: WEEK_HOURS });

  constructor(size: number) {
    this.#size = size;
  }

  add(hours: CompiledHours | null, index: number): void {
    if (hours) (hours.zone === 'device' ? this.#byDevice : this.#byCompany).push({ hours, index });
  }

  narrow(fitting: Intersection, device: ParsedDevice, nowMs: number): void {
    if (this.#byCompany.length === 0 && this.#byDevice.length === 0) return;
    this.#compute(nowMs);
    if (this.#closed) fitting.remove(this.#closed);
    if (this.#byDevice.length === 0) return;
    const hour = deviceHour(deviceTimeOf(device), nowMs, this.#clock);
    const closed = hour === null ? this.#closedElsewhere : this.#closedAt(hour);
    if (closed) fitting.remove(closed);
  }

  #compute(nowMs: number): void {
    const quarter = Math.floor(nowMs / QUARTER_MS);
    if (quarter === this.#quarter) return;
    this.#quarter = quarter;
    const ofCompany = ({ timeZone }: CompiledHours) => this.#clock(nowMs, timeZone);
    this.#closed = this.#closedOf(this.#byCompany, ofCompany);
    this.#closedElsewhere = this.#closedOf(this.#byDevice, ofCompany);
  }

  #closedAt(hour: number): Bitset | null {
    const closed = this.#closedByHour[hour];
    if (closed !== undefined) return closed;
    return (this.#closedByHour[hour] = this.#closedOf(this.#byDevice, () => hour));
  }

  #closedOf(scheduled: readonly Scheduled[], hourOf: (hours: CompiledHours) => number): Bitset | null {
    const closed = createBitset(this.#size);
    for (const { hours, index } of scheduled) if (hours.open[hourOf(hours)] === 0) setBit(closed, index);
    return isEmpty(closed) ? null : closed;
  }
}
