import * as endpoints from '@bidwell/contract/warehouse/endpoints';
import type { WarehouseExportInput } from '@bidwell/contract/warehouse/schema';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { pollInterval } from '../../lib/api/poll-interval.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** The hourly export of the company's events, and how far it is. */
export const warehouseExportQuery = queryOptions({
  queryKey: ['warehouse-export'],
  queryFn: () => api.call(endpoints.readWarehouseExport),
});

/** The latest files of the export by hour and kind; read again while some wait. */
export const warehouseRunsQuery = queryOptions({
  queryKey: ['warehouse-runs'],
  queryFn: async () => (await api.call(endpoints.listWarehouseRuns)).runs,
  refetchInterval: ({ state }) => pollInterval(state.data),
});

/** Begins the export, or changes it, if it still has the version. */
export async function saveWarehouseExport(
  body: WarehouseExportInput,
  version: string | undefined,
): Promise<void> {
  await api.change(endpoints.saveWarehouseExport, version, { body });
  await refetchExport();
}

export async function deleteWarehouseExport(): Promise<void> {
  await api.call(endpoints.deleteWarehouseExport);
  await refetchExport();
}

/** Stores the files of an hour and kind again. */
export async function repeatWarehouseRun(uuid: string): Promise<void> {
  await api.call(endpoints.repeatWarehouseRun, { params: { uuid } });
  await refetchExport();
}

const refetchExport = async () =>
  Promise.all(
    [warehouseExportQuery, warehouseRunsQuery].map(async ({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
