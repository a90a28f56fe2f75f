import * as endpoints from '@bidwell/contract/warehouse/endpoints';
import type { Context } from '../../../context.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import {
  deleteWarehouseExport,
  listWarehouseRuns,
  repeatWarehouseRun,
  saveWarehouseExport,
  warehouseExportOf,
} from './service.ts';

/** Registers the calls on the export of events to a bucket. */
export function registerWarehouseExport(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.readWarehouseExport, warehouseExportOf);
  dataRoute(http, ctx, endpoints.saveWarehouseExport, saveWarehouseExport);
  dataRoute(http, ctx, endpoints.deleteWarehouseExport, answering({ deleted: true }, deleteWarehouseExport));
  dataRoute(http, ctx, endpoints.listWarehouseRuns, named('runs', listWarehouseRuns));
  dataRoute(http, ctx, endpoints.repeatWarehouseRun, repeatWarehouseRun);
}
