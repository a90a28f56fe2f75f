import type { Postbacks } from '@bidwell/contract/postback';
import { postbackTemplates } from '@bidwell/contract/postback';
import type { Actor, Engines } from '../../engines.ts';
import { outcomeCounts, postbackSecretOf, unknownPostbacks } from './store.ts';

const COUNTED_DAYS = 30;
const UNKNOWN_MAX = 50;

/**
 * The addresses that the company's measurement partners call, with their macros, and what came to them lately. `origin`
 * is where the server is reached, unless its configuration says.
 */
export async function readPostbacks(
  engines: Engines,
  { companyId }: Actor,
  origin: string,
): Promise<Postbacks> {
  const secret = await postbackSecretOf(engines.db, companyId);
  const [counts, unknown] = await Promise.all([
    outcomeCounts(engines.clickhouse, companyId, COUNTED_DAYS),
    unknownPostbacks(engines.clickhouse, companyId, UNKNOWN_MAX),
  ]);
  return {
    secret,
    templates: postbackTemplates(engines.config.publicUrl ?? origin, secret),
    counts: [...counts],
    unknown: unknown.map(({ atMs, mmp, clickId, parameters }) => ({
      at: new Date(atMs).toISOString(),
      mmp,
      click_id: clickId,
      parameters,
    })),
  };
}
