import {
  APP_PARAMETERS,
  DEVICE_PARAMETERS,
} from '@bidwell/contract/measurement/partners/app-and-device-parameters';
import type { Db } from '../../platform/postgres/transaction.ts';
import { type PostbackParameters, clickIdsOf, firstGiven } from './postback-reading.ts';
import { sql } from 'kysely';

/** Longest name of an app that is looked up: the longest package name in the stores. */
const NAME_CHARS_MAX = 150;

/** Finds the app of the company that a postback without a click id names; '' for none, and where it has a click id. */
export type NamedApp = (postback: { companyId: string; parameters: PostbackParameters }) => string;

/** Reads the apps that a batch of postbacks names in place of a click. */
export async function readNamedApps(
  db: Db,
  postbacks: readonly { companyId: string; parameters: PostbackParameters }[],
): Promise<NamedApp> {
  const named = postbacks.flatMap(({ companyId, parameters }) => {
    const name = appNameOf(parameters);
    return name === '' ? [] : [{ companyId, name }];
  });
  const found = new Map((await findCompanyApps(db, named)).map((app) => [keyOf(app), app.appId]));
  return ({ companyId, parameters }) => found.get(keyOf({ companyId, name: appNameOf(parameters) })) ?? '';
}

/**
 * The name of the app in a postback without a click id, in the form that apps have: for an iOS app, the number of its
 * store id.
 */
function appNameOf(parameters: PostbackParameters): string {
  if (clickIdsOf(parameters).length > 0) return '';
  const name = firstGiven(parameters, APP_PARAMETERS).toLowerCase();
  return name.length > NAME_CHARS_MAX || /[\p{Cc}\p{Cs}]/u.test(name) ? '' : name.replace(/^id(?=\d+$)/, '');
}

function keyOf({ companyId, name }: Pick<CompanyApp, 'companyId' | 'name'>): string {
  return `${companyId} ${name}`;
}

/** Parameters without the ones that name a device: a person without a click has not allowed their use. */
export function withoutDevice(parameters: PostbackParameters): PostbackParameters {
  const isOfDevice = (name: string) => DEVICE_PARAMETERS.includes(name.toLowerCase());
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !isOfDevice(name)));
}

/** An app of a company, and the name by which it was looked up. */
interface CompanyApp {
  companyId: string;
  appId: string;
  name: string;
}

/**
 * The apps of companies by their id, package name or store id, in lower case. Works across companies, since a batch of postbacks
 * does.
 */
async function findCompanyApps(
  db: Db,
  named: readonly Pick<CompanyApp, 'companyId' | 'name'>[],
): Promise<CompanyApp[]> {
  if (named.length === 0) return [];
  const { rows } = await sql<CompanyApp>`
    select a.company_uuid as "companyId", a.uuid as "appId", n.name
    from json_to_recordset(${JSON.stringify(named)}::json) as n("companyId" uuid, name text)
    join apps a on a.company_uuid = n."companyId" and (lower(a.bundle_id) = n.name or a.uuid::text = n.name)
    where a.deleted_at is null`.execute(db);
  return rows;
}
