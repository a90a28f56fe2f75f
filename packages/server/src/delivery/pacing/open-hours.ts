import { WEEK_HOURS } from '@bidwell/contract/adsets/hours';
import { hourOfWeekAt, hourOfWeekBy } from '@bidwell/contract/lib/calendar';
import { lruCache } from '../../platform/lru-cache.ts';
import type { CompiledHours, IncludeExclude } from '../model/candidate.ts';
import type { DeviceTime } from '../matching/hours-stage.ts';
import { zoneOfPlace } from '../matching/place-zones.ts';
import { type Day, QUARTER_MS } from './pace.ts';

/** A part of the traffic whose devices have one clock: an offset from UTC in minutes, or a time zone. */
export interface ClockShare {
  clock: number | string;
  weight: number;
}

/** The hour of the week in each quarter hour of a day, cached: a time zone takes microseconds for each. */
const hoursOfDays = lruCache<string, Uint8Array>(500);

function hoursOfDay({ startMs, endMs }: Day, clock: ClockShare['clock']): Uint8Array {
  const key = `${startMs} ${endMs} ${clock}`;
  let hours = hoursOfDays.get(key);
  if (!hours) {
    hours = Uint8Array.from({ length: Math.ceil((endMs - startMs) / QUARTER_MS) }, (_, quarter) => {
      const atMs = startMs + quarter * QUARTER_MS;
      return typeof clock === 'number' ? hourOfWeekBy(atMs, clock) : hourOfWeekAt(atMs, clock);
    });
    hoursOfDays.set(key, hours);
  }
  return hours;
}

/** Parts of a day's traffic below it are not known well enough to multiply by. */
const USUAL_MIN = 0.05;

/**
 * The part of an ad set's usual traffic, as it was learned from the days before, that comes in its hours in each quarter
 * hour of a company's day: 0 where it is closed. Where the devices' time counts, `clocks` has their shares; without any,
 * the company's time counts.
 */
export function openParts(hours: CompiledHours, day: Day, clocks: readonly ClockShare[]): Float64Array {
  if (hours.zone === 'company' || clocks.length === 0)
    return Float64Array.from(hoursOfDay(day, hours.timeZone), (hour) => hours.open[hour]!);
  const quarters = hoursOfDay(day, hours.timeZone).length;
  const total = clocks.reduce((sum, { weight }) => sum + weight, 0);
  const open = new Float64Array(quarters);
  // The profile was learned from the requests in the hours of all weekdays.
  const usual = new Float64Array(quarters);
  for (const { clock, weight } of clocks)
    for (const [quarter, hour] of hoursOfDay(day, clock).entries()) {
      open[quarter]! += (hours.open[hour]! * weight) / total;
      usual[quarter]! += (openDays(hours.open, hour) * weight) / total;
    }
  return open.map((part, quarter) => part / Math.max(USUAL_MIN, usual[quarter]!));
}

/** The parts of a day that are open before an ad set's flight ends; all of the day where `open` is null and it ends later. */
export function beforeEnd(
  { startMs, endMs }: Day,
  open: Float64Array | null,
  runsUntilMs: number,
): Float64Array | null {
  if (runsUntilMs >= endMs || runsUntilMs <= startMs) return open;
  const parts = open ?? new Float64Array(Math.ceil((endMs - startMs) / QUARTER_MS)).fill(1);
  return parts.map((part, quarter) => (startMs + quarter * QUARTER_MS < runsUntilMs ? part : 0));
}

/** The share of the weekdays on which an hour of the day is open. */
function openDays(open: Uint8Array, hour: number): number {
  let days = 0;
  for (let other = hour % 24; other < WEEK_HOURS; other += 24) days += open[other]!;
  return days / 7;
}

/** Requests below which the clocks of an ad set's devices are not known. */
const KNOWN_MIN = 100;
/** The weight of a request halves in a day. */
const HALF_MS = 86_400_000;
const STEP_MINUTES = 15;

/** The clock of a device; null where it is not known. */
function clockOf({ utcOffsetMinutes, country, regions }: DeviceTime): ClockShare['clock'] | null {
  if (utcOffsetMinutes !== null && utcOffsetMinutes % STEP_MINUTES === 0) return utcOffsetMinutes;
  return zoneOfPlace(country, regions);
}

/** The clocks of the devices that send requests, by country, newest days first. Bounded: offsets are whole quarters of an hour. */
export class DeviceClocks {
  readonly #countries = new Map<string, Map<ClockShare['clock'] | null, number>>();

  /** Counts a bid request. */
  count(device: DeviceTime): void {
    let clocks = this.#countries.get(device.country);
    if (!clocks) this.#countries.set(device.country, (clocks = new Map()));
    const clock = clockOf(device);
    clocks.set(clock, (clocks.get(clock) ?? 0) + 1);
  }

  /** Lets the counts of `elapsedMs` ago weigh less. */
  age(elapsedMs: number): void {
    const factor = 0.5 ** (elapsedMs / HALF_MS);
    for (const clocks of this.#countries.values())
      for (const [clock, count] of clocks) clocks.set(clock, count * factor);
  }

  /**
   * The clocks of the devices in the countries that an ad set targets; empty while too few are known. Devices without a
   * stated offset have the time zone of their region or country, or else of the company.
   */
  of({ include, exclude }: IncludeExclude, timeZone: string): readonly ClockShare[] {
    const weights = new Map<number | string, number>();
    let total = 0;
    for (const [country, clocks] of this.#countries) {
      if ((include.size > 0 && !include.has(country)) || exclude.has(country)) continue;
      for (const [known, count] of clocks) {
        const clock = known ?? timeZone;
        weights.set(clock, (weights.get(clock) ?? 0) + count);
        total += count;
      }
    }
    return total < KNOWN_MIN ? [] : Array.from(weights, ([clock, weight]) => ({ clock, weight }));
  }
}
