import { operatorApi } from '@bidwell/exchange/demo/api';
import { ensureExchange, equipDemoCompany } from '@bidwell/exchange/demo/company';
import { type Company, freshCompany } from './company.ts';
import type { Screen } from './screens.ts';
import { type Server, operatorToken } from './server.ts';

/** A company with the demo's entities, and all screens that it can open. */
export interface DemoCompany extends Company {
  screens: readonly Screen[];
}

/** Registers a new company with the demo's entities. */
export async function demoCompany(server: Server): Promise<Company> {
  const company = await freshCompany(server);
  const operator = operatorApi(server.url, operatorToken);
  await ensureExchange(operator);
  await equipDemoCompany({ api: company.api, operator, url: server.url }, company.companyUuid);
  return company;
}
