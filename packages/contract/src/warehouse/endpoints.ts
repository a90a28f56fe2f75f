import { z } from 'zod';
import { conflict, endpoint, missing } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import {
  SavedWarehouseExport,
  WarehouseExportInput,
  WarehouseRun,
  warehouseExportVersion,
} from './schema.ts';

export const readWarehouseExport = endpoint('GET /warehouse-export', {
  companyPermission: 'report_schedule.read',
  summary: 'Read the hourly export of events to a bucket of the company',
  version: warehouseExportVersion,
  response: { 200: envelope(SavedWarehouseExport) },
});

export const saveWarehouseExport = endpoint('PUT /warehouse-export', {
  companyPermission: 'report_destination.write',
  summary: 'Export events to a bucket of the company every hour, change that, or switch it off',
  body: WarehouseExportInput,
  version: warehouseExportVersion,
  response: { 200: envelope(SavedWarehouseExport) },
});

export const deleteWarehouseExport = endpoint('DELETE /warehouse-export', {
  companyPermission: 'report_destination.write',
  summary: 'End the export of events; the files stay in the bucket',
  version: warehouseExportVersion,
  response: { 200: envelope(z.object({ deleted: z.literal(true) })), ...missing },
});

export const listWarehouseRuns = endpoint('GET /warehouse-export/runs', {
  companyPermission: 'report_schedule.read',
  summary: 'List the latest files of the export by hour and kind, newest first',
  response: { 200: envelope(z.object({ runs: z.array(WarehouseRun) })) },
});

export const repeatWarehouseRun = endpoint('POST /warehouse-export/runs/:uuid/repeat', {
  companyPermission: 'report_destination.write',
  summary: 'Store the files of an hour and kind again, under the same names',
  response: { 200: envelope(WarehouseRun), ...conflict },
});
