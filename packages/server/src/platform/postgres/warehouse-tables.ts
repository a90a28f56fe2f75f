import type {
  WarehouseKind,
  WarehouseManifest,
  WarehouseRunStatus,
} from '@bidwell/contract/warehouse/schema';
import type { ColumnType, Generated } from 'kysely';

/** The hourly export of a company's events to a bucket. */
export interface WarehouseExportTable {
  company_uuid: string;
  destination_uuid: string;
  kinds: WarehouseKind[];
  is_enabled: boolean;
  /** Events that were stored before have runs. */
  planned_until: Date;
  created_at: Date;
}

/** The files of one kind with the events that were stored in one hour. */
export interface WarehouseRunTable {
  uuid: string;
  company_uuid: string;
  kind: WarehouseKind;
  stored_from: Date;
  stored_before: Date;
  status: WarehouseRunStatus;
  attempts: Generated<number>;
  /** The files of the manifest; null before it is written. */
  files: ColumnType<WarehouseManifest['files'] | null, string | null, string | null>;
  error: string | null;
  finished_at: Date | null;
}
