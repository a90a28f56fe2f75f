import type { Micros } from '@bidwell/contract/lib/money';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import type { Encryption } from '../platform/encryption.ts';
import type { Bus } from '../platform/nats/bus.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { Database } from '../platform/postgres/client.ts';
import type { Tx } from '../platform/postgres/transaction.ts';
import type { Startup, Step } from '../platform/startup.ts';
import type { CountedEvents } from './counting/counted-events.ts';
import type { Ingest } from './event-log/ingest.ts';
import type { InvalidTrafficDetector } from './trackers/invalid-traffic.ts';
import type { SharedIntake } from './event-log/shared-intake.ts';
import type { Signer } from './trackers/signer.ts';
import type { Verification } from './markup/vast.ts';
import type { Booking } from './pacing/booking.ts';
import type { SpendCorrection } from './pacing/spend-correction-store.ts';
import type { AdsetFaultNotice } from './snapshot/adset-faults.ts';

/** Dependencies of delivery. */
export interface DeliveryDeps {
  db: Database;
  clickhouse: ClickHouse;
  /** Has the files of audiences. */
  files: Pick<FileStore, 'read'>;
  /** The most bytes of audiences in memory. */
  audienceBytesMax: number;
  ingest: Ingest;
  /** Announces the events that this process has counted. */
  onCounted: CountedEvents['onCounted'];
  intake: SharedIntake;
  signer: Signer;
  log: Logger;
  /** Decrypts the price keys of exchanges. */
  encryption: Pick<Encryption, 'decrypt'>;
  registry: Registry;
  now: () => Date;
  random: () => number;
  /** How long a postback's request waits for its decision, ms; three seconds if undefined. */
  postbackAnswerMs: (() => number) | undefined;
  publicUrl: string;
  /** URL from which devices load the files of creatives. */
  assetUrl: string;
  /** Our id in the IAB's Global Vendor List; null without one, and then no consent applies to us. */
  tcfVendorId: number | null;
  /** The script that measures videos by the Open Measurement SDK; null for none. */
  verification: Verification | null;
  /** Detects invalid traffic: clicks of programs rather than people. */
  detectInvalidTraffic: InvalidTrafficDetector;
  /** A file with a database of addresses, which completes the places of requests; null for none. */
  geoIpDatabase: string | null;
  /** A key that verifies postbacks of simulated devices, in addition to Apple's keys: SPKI in base64; null for none. */
  installPostbackTestKey: string | null;
  booking: Booking;
  startup: Startup;
  /** Messages between processes; null where there are none. */
  bus: Bus | null;
  /** Address of PostgreSQL for changes made by other processes; null where there is no other. */
  changesUrl: string | null;
  /** Done once each database is migrated. */
  postgres: Step;
  clickhouseReady: Step;
  /**
   * Folder in which a bidder stores its snapshot for a start without PostgreSQL; null where PostgreSQL is in this
   * process.
   */
  snapshotFolder: string | null;
  /** Memory that the process may use, MiB. */
  memoryMib: number;
  /** Memory for the counts of frequency caps, in bytes. */
  frequencyMaxBytes: number;
  /** The secret of keys of people, by which frequency caps count. */
  personSecret: string;
  /** Whether this process responds to bid requests. */
  bids: boolean;
  /** Whether it accepts events and postbacks. */
  tracks: boolean;
  /** Whether it serves the API, and so forecasts ad sets. */
  forecasts: boolean;
  dataDir: string;
  /** Every company's money before any spend. */
  funds: () => Promise<ReadonlyMap<string, Micros>>;
  /** Writes corrections of booked spend into the log of operators. */
  recordCorrections: (tx: Pick<Tx, 'db'>, corrections: readonly SpendCorrection[]) => Promise<void>;
  /** Notifies the owner of an ad set of the reason why it does not bid. */
  notifyOwner: (notice: AdsetFaultNotice) => Promise<void>;
}
