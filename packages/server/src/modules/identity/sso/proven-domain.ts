import type { SsoDomain } from '@bidwell/contract/accounts/single-sign-on';
import { apiMessages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Conflict } from '../../../platform/errors.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { newSecretToken } from '../sessions/access-tokens.ts';
import { presentDomain } from './domains.ts';
import { insertDomain, listDomains, verifyDomainRow } from './provider-store.ts';

/**
 * Makes a mail domain one of a company without a DNS record, on the word of an operator whose transaction writes the audit entry. Throws
 * Conflict for one that another company has proven.
 */
export async function proveDomain(
  ctx: Pick<Context, 'now'>,
  tx: Tx,
  companyId: string,
  domain: string,
): Promise<SsoDomain> {
  const at = ctx.now();
  const listed = (await listDomains(tx.db, companyId)).find((row) => row.domain === domain);
  const row = listed ?? {
    uuid: uuidv7(),
    domain,
    token: newSecretToken(),
    verified_at: null,
    created_at: at,
  };
  if (!listed) await insertDomain(tx.db, companyId, row);
  if (!(await verifyDomainRow(tx.db, companyId, row, at))) throw new Conflict(apiMessages.ssoDomainTaken);
  return presentDomain({ ...row, verified_at: at });
}
