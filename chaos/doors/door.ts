import type { ClickHouse } from '@bidwell/server/platform/clickhouse/client';
import type { TestCompany } from '@bidwell/testing/test-app';
import type { TestClock } from './test-clock.ts';

/** A company whose data leaves through the doors. */
export interface DoorCompany {
  companyId: string;
  /** Days of its costs are in this time zone. */
  timeZone: string;
  /** As in a test; logs in again where the session is over. */
  call: TestCompany['call'];
  upload: TestCompany['upload'];
}

/** What doors share. */
export interface DoorSetup {
  url: string;
  clock: TestClock;
  companies: readonly DoorCompany[];
  operator: TestCompany['call'];
  /** The server of the events. */
  clickhouse: ClickHouse;
  random: () => number;
}

/** A way on which data of companies leaves the server: what is sent, and what its receiver has at the end. */
export interface Door {
  name: string;
  /** Adds rows to the store of events while no server runs. */
  addStored?(): Promise<void>;
  /** Adds what leaves at a running server. */
  addRunning?(): Promise<void>;
  /** What is not sent yet, or was refused, as this server says; without any the stores can be compared. */
  unfinished(): Promise<string[]>;
  /** Compares the receiver's store with ours. */
  compare(): Promise<DoorDifferences>;
}

/** How the receiver's store differs from ours. */
export interface DoorDifferences {
  /** Entries that both must have. */
  entries: number;
  /** Ours which the receiver lacks, or has otherwise. */
  lost: string[];
  /** The receiver's which are not ours, or are there twice. */
  doubled: string[];
  notes?: string[];
}

/** Compares two stores by their keys. */
export function differencesOf(
  ours: ReadonlyMap<string, string | number>,
  theirs: ReadonlyMap<string, string | number>,
): DoorDifferences {
  const lost = [...ours].filter(([key, value]) => theirs.get(key) !== value);
  return {
    entries: ours.size,
    lost: lost.map(([key, value]) => `${key}: ${value} here, ${theirs.get(key) ?? 'nothing'} there`),
    doubled: [...theirs.keys()].filter((key) => !ours.has(key)),
  };
}

/** Throws unless a call was done; returns its data. */
export async function done<Data>(
  answering: Promise<{ status: number; data: Data; errors: unknown }>,
): Promise<Data> {
  const { status, data, errors } = await answering;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify({ data, errors })}`);
  return data;
}
