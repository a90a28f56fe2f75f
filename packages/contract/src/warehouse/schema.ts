import { z } from 'zod';
import { entityVersion } from '../lib/version.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';
import { warehouseMessages } from './messages.ts';

/** Kinds of events that are exported, each as a table of its own. */
export const WAREHOUSE_KINDS = [
  'bids',
  'wins',
  'losses',
  'billings',
  'impressions',
  'clicks',
  'installs',
  'app_events',
  'returns',
  're_engagement_events',
] as const;
export type WarehouseKind = (typeof WAREHOUSE_KINDS)[number];

/** Version of the columns and of the names of the files. A release that changes one writes to another folder. */
export const WAREHOUSE_SCHEMA_VERSION = 1;

/** PUT /warehouse-export */
export const WarehouseExportInput = z.object({
  /** A bucket among the destinations of reports. */
  destination_uuid: Uuid,
  kinds: z
    .array(z.enum(WAREHOUSE_KINDS))
    .min(1, warehouseMessages.kinds)
    .max(WAREHOUSE_KINDS.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, warehouseMessages.kinds),
  is_enabled: z.boolean().default(true),
});
export type WarehouseExportInput = z.infer<typeof WarehouseExportInput>;

/** The hourly export of a company's events to its own bucket. */
export const WarehouseExport = z.object({
  destination_uuid: Uuid,
  kinds: z.array(z.enum(WAREHOUSE_KINDS)),
  is_enabled: z.boolean(),
  created_at: Timestamp,
});
export type WarehouseExport = z.infer<typeof WarehouseExport>;

/** The export of a company, and how far it is. */
export const SavedWarehouseExport = z.object({
  /** Null for none. */
  export: WarehouseExport.nullable(),
  /** Files of events that were stored before this time are planned; null without an export. */
  planned_until: Timestamp.nullable(),
  /** Files of events that were stored before this time are in the bucket; null where one of them was given up, and without an export. */
  stored_until: Timestamp.nullable(),
});
export type SavedWarehouseExport = z.infer<typeof SavedWarehouseExport>;

export const warehouseExportVersion = entityVersion(SavedWarehouseExport, ['planned_until', 'stored_until']);

export const WAREHOUSE_RUN_STATUSES = ['waiting', 'stored', 'failed'] as const;
export type WarehouseRunStatus = (typeof WAREHOUSE_RUN_STATUSES)[number];

/** Runs in a response, newest first. */
export const WAREHOUSE_RUNS_LISTED = 200;

/** The files of one kind with the events that were stored in an hour. */
export const WarehouseRun = z.object({
  uuid: Uuid,
  kind: z.enum(WAREHOUSE_KINDS),
  /** The hour in which the events were stored, not the one in which they happened. */
  stored_from: Timestamp,
  stored_before: Timestamp,
  status: z.enum(WAREHOUSE_RUN_STATUSES),
  attempts: z.number().int(),
  /** Of the last complete try; null before it. */
  files: z.number().int().nullable(),
  rows: z.number().int().nullable(),
  bytes: z.number().int().nullable(),
  /** Why the last try failed; null where it did not. */
  error: z.string().nullable(),
  finished_at: Timestamp.nullable(),
});
export type WarehouseRun = z.infer<typeof WarehouseRun>;

/** The manifest of a run: the last object that is written, as JSON. */
export const WarehouseManifest = z.object({
  schema_version: z.literal(WAREHOUSE_SCHEMA_VERSION),
  kind: z.enum(WAREHOUSE_KINDS),
  stored_from: Timestamp,
  stored_before: Timestamp,
  rows: z.number().int(),
  files: z.array(
    z.object({
      /** The name of the object in the bucket. */
      name: z.string(),
      /** The hour in which its events happened. */
      hour: Timestamp,
      rows: z.number().int(),
      bytes: z.number().int(),
      /** Of the file, in hexadecimal. */
      sha256: z.string(),
    }),
  ),
});
export type WarehouseManifest = z.infer<typeof WarehouseManifest>;
