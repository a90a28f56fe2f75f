import {
  APP_PARAMETERS,
  DEVICE_PARAMETERS,
} from '@bidwell/contract/measurement/partners/app-and-device-parameters';
import type { Db } from '../../platform/postgres/transaction.ts';
import { type CompanyApp, findCompanyApps } from './named-app-store.ts';
import { type PostbackParameters, clickIdsOf, firstGiven } from './postback-reading.ts';

/** Longest name of an app that is looked up: that of a package in the stores. */
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

/** The name of the app in a postback without a click id, as apps have it: of an iOS app the number of its store id. */
function appNameOf(parameters: PostbackParameters): string {
  if (clickIdsOf(parameters).length > 0) return '';
  const name = firstGiven(parameters, APP_PARAMETERS).toLowerCase();
  return name.length > NAME_CHARS_MAX || /[\p{Cc}\p{Cs}]/u.test(name) ? '' : name.replace(/^id(?=\d+$)/, '');
}

function keyOf({ companyId, name }: Pick<CompanyApp, 'companyId' | 'name'>): string {
  return `${companyId} ${name}`;
}

/** Parameters without those that name a device: nothing says that a person without a click allows their use. */
export function withoutDevice(parameters: PostbackParameters): PostbackParameters {
  const isOfDevice = (name: string) => DEVICE_PARAMETERS.includes(name.toLowerCase());
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !isOfDevice(name)));
}
