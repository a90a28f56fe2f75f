import { OTHER } from '@bidwell/contract/reports/schema';
import type { Context } from '../../context.ts';
import { publisherPageNames } from '../catalog/public.ts';
import { offeredNames } from './query/publisher-app-store.ts';
import { withinReportLimits } from './report-limits.ts';

/**
 * Names of publishers' apps by bundle: as in the store where its page was fetched, else as in bid requests. Apps without a known
 * name are absent. Throws Invalid when it exceeds the limits of reports.
 */
export async function bundleNames(
  ctx: Context,
  bundles: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const named = [...bundles].filter((bundle) => bundle !== '' && bundle !== OTHER);
  const [ofRequests, ofPages] = await Promise.all([
    withinReportLimits(ctx, (settings) => offeredNames(ctx.clickhouse, named, settings)),
    publisherPageNames(ctx, named),
  ]);
  return new Map([...ofRequests, ...ofPages]);
}
