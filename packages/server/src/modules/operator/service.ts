import { notificationMessages } from '@bidwell/contract/messages';
import type { Micros } from '@bidwell/contract/money';
import { toDollars } from '@bidwell/contract/money';
import type { OperatorCompany } from '@bidwell/contract/operator';
import type { Engines } from '../../engines.ts';
import { NotFound } from '../../platform/errors.ts';
import type { Operator } from '../../platform/operator.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { recordChange } from '../changes/service.ts';
import { balanceMicros, balanceMicrosOfAll } from '../finance/service.ts';
import { notify } from '../notifications/service.ts';
import { recordAct } from '../operator-accounts/service.ts';
import type { CompanyRow } from './store.ts';
import { companiesWithLogins, listRateRows, setSuspended, upsertRate } from './store.ts';

/** Companies, newest first, at most 1000. */
export async function listCompanies(engines: Engines, by: Operator): Promise<OperatorCompany[]> {
  const companies = await companiesWithLogins(engines.db);
  const balances = await balanceMicrosOfAll(engines);
  return companies.map((company) => presentCompany(company, balances.get(company.uuid) ?? 0, by));
}

/** Reads one company. Throws NotFound. */
export async function getCompany(engines: Engines, by: Operator, uuid: string): Promise<OperatorCompany> {
  const [company] = await companiesWithLogins(engines.db, uuid);
  if (!company) throw new NotFound('Company');
  return presentCompany(company, await balanceMicros(engines, uuid), by);
}

/** Suspends a company, which stops all its campaigns, or resumes it. Notifies it. Throws NotFound. */
export async function suspendCompany(
  engines: Engines,
  by: Operator,
  uuid: string,
  suspended: boolean,
): Promise<OperatorCompany> {
  const before = await getCompany(engines, by, uuid);
  if (before.suspended === suspended) return before;
  await transact(engines.db, async (tx) => {
    await setSuspended(tx.db, uuid, suspended ? engines.now() : null);
    await recordChange(
      engines,
      tx,
      { companyId: uuid, userId: null },
      {
        entity: 'company',
        uuid,
        name: before.name,
        action: 'decide',
        before: { suspended: before.suspended },
        after: { suspended },
      },
    );
    await recordAct(engines, tx, by, {
      action: suspended ? 'Suspended' : 'Resumed',
      entity: 'company',
      entityId: uuid,
      companyId: uuid,
      name: before.name,
      before: { suspended: before.suspended },
      after: { suspended },
    });
    await notify(engines, tx, uuid, {
      kind: 'company',
      ...(suspended ? notificationMessages.suspended : notificationMessages.resumed),
      entity: { type: 'company', uuid },
    });
  });
  return getCompany(engines, by, uuid);
}

/** Exchange rates of the currencies in bid requests, in dollars. The dollar itself has none. */
export async function listRates(engines: Engines): Promise<{ currency: string; dollars: number }[]> {
  return listRateRows(engines.db);
}

/** Sets the value of one currency unit in dollars, for floors and bids from now on. */
export async function putRate(
  engines: Engines,
  by: Operator,
  currency: string,
  dollars: number,
): Promise<{ currency: string; dollars: number }> {
  await transact(engines.db, async (tx) => {
    const before = (await listRateRows(tx.db)).find((rate) => rate.currency === currency);
    await upsertRate(tx.db, currency, dollars, engines.now());
    await recordAct(engines, tx, by, {
      action: 'Changed',
      entity: 'currency rate',
      entityId: null,
      name: currency,
      ...(before && { before: { dollars: before.dollars } }),
      after: { dollars },
    });
  });
  engines.onEntityChanged({ companyId: '', entity: 'company', uuid: '', action: 'update' });
  return { currency, dollars };
}

function presentCompany(company: CompanyRow, micros: Micros, { role }: Operator): OperatorCompany {
  return {
    uuid: company.uuid,
    name: company.name,
    logins: company.logins,
    balance: toDollars(micros),
    suspended: company.suspended_at !== null,
    postback_secret: role === 'admin' ? company.postback_secret : '',
    time_zone: company.time_zone,
    created_at: company.created_at.toISOString(),
  };
}
