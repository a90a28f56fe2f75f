import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { iosAppBody, make, newStoreItem } from '@bidwell/testing/advertising';
import type { PartnerCounterpart } from '@bidwell/testing/partners/partner-counterpart';
import { type Door, type DoorCompany, type DoorSetup, differencesOf, done } from './door.ts';

const NETWORK = 'example123.skadnetwork';
/** Postbacks of each app that are added at once, of either framework. */
const POSTBACKS = { skadnetwork: 4, adattributionkit: 2 };
const SKADNETWORK_HOSTS = ['skadpostbacks.appsflyer.com', 'api2.branch.io', 'bidwell.adsmeasurement.com'];
const ADATTRIBUTIONKIT_HOST = 'attribution.example.com';
/** Adds fields behind the device's. */
const ADDING_HOST = 'skadpostbacks.appsflyer.com';

const device = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
/** For INSTALL_POSTBACK_TEST_KEY. */
export const DEVICE_KEY = device.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

/** Copies of install postbacks at three partners, of both frameworks. */
export async function openCopyDoor(
  { url, companies, operator }: DoorSetup,
  partner: PartnerCounterpart,
): Promise<Door> {
  await done(operator('PUT', `/skadnetwork/networks/${NETWORK}`, {}));
  const apps: { company: DoorCompany; appUuid: string; itemId: number }[] = [];
  for (const company of companies) {
    const itemId = newStoreItem();
    const appUuid = await make(company, '/app', iosAppBody(itemId));
    await done(operator('PUT', `/skadnetwork/apps/${appUuid}`, { enabled: true }));
    const copyTo = async (mmp: string, given: string | null, adattributionkit_url: string | null = null) => {
      const body = { is_enabled: true, url: given, adattributionkit_url };
      await done(company.call('PUT', `/app/${appUuid}/postback-copies/${mmp}`, body));
    };
    await copyTo('appsflyer', null);
    await copyTo('branch', null);
    await copyTo(
      'kochava',
      'https://bidwell.adsmeasurement.com/v1/skad/postback',
      `https://${ADATTRIBUTIONKIT_HOST}/given/postbacks`,
    );
    apps.push({ company, appUuid, itemId });
  }
  /** Bodies that this server took, with the hosts to which their copies go. */
  const taken: { body: string; hosts: readonly string[] }[] = [];
  /** Postbacks that the server has not acknowledged. A device sends them again. */
  let waiting: typeof taken = [];
  return {
    name: 'copies',
    async addRunning() {
      for (const { itemId } of apps) {
        for (let count = 0; count < POSTBACKS.skadnetwork; count += 1)
          waiting.push({ body: postbackOf(itemId), hosts: SKADNETWORK_HOSTS });
        for (let count = 0; count < POSTBACKS.adattributionkit; count += 1)
          waiting.push({ body: jwsPostbackOf(itemId), hosts: [ADATTRIBUTIONKIT_HOST] });
      }
      const sending = waiting;
      waiting = [];
      for (const postback of sending) {
        const outcome = await receive(url, postback.body);
        if (outcome === null) waiting.push(postback);
        else if (outcome === 'stored' || outcome === 'duplicate') taken.push(postback);
        else throw new Error(`A postback was not taken: ${outcome}`);
      }
    },
    async unfinished() {
      const left: string[] = [];
      for (const { company, appUuid } of apps) {
        const { copies } = await done(company.call('GET', `/app/${appUuid}/postback-copies`));
        for (const { status, error } of copies as { status: string; error: string | null }[])
          if (status !== 'accepted') left.push(`a copy is ${status}: ${error ?? ''}`);
      }
      if (waiting.length > 0) left.push(`${waiting.length} postbacks are not taken`);
      return left;
    },
    async compare() {
      const ours = new Map(
        taken.flatMap(({ body, hosts }) =>
          hosts.map((host): [string, string] => [`${host} ${idOf(body)}`, body]),
        ),
      );
      const theirs = new Map<string, string>();
      const changed: string[] = [];
      let repeated = 0;
      for (const { host, body } of partner.postbacks()) {
        const text = body.toString();
        const key = `${host} ${idOf(text)}`;
        const before = theirs.get(key);
        const raw = host === ADDING_HOST ? withoutAdded(text) : text;
        if (before !== undefined) repeated += 1;
        // A partner recognises repetitions, if they are the same.
        if (before !== undefined && before !== raw) changed.push(`${key} is there twice`);
        theirs.set(key, raw);
      }
      const found = differencesOf(ours, theirs);
      return {
        ...found,
        doubled: [...found.doubled, ...changed],
        notes: [`${taken.length} postbacks`, `${repeated} copies arrived again with the same bytes`],
      };
    },
  };
}

/** Sends a postback as a device does; null where it has to be sent again. */
async function receive(url: string, body: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/skadnetwork/postback`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(20_000),
    });
    const { data } = (await response.json()) as { data: { outcome: string } };
    return response.status === 200 ? data.outcome : null;
  } catch {
    return null;
  }
}

/** A postback of version 4.0 of SKAdNetwork, as text with the spaces of a device. */
function postbackOf(itemId: number): string {
  const fields = {
    version: '4.0',
    'ad-network-id': NETWORK,
    'source-identifier': '1239',
    'app-id': itemId,
    'transaction-id': randomUUID(),
    redownload: false,
    'source-app-id': 99,
    'fidelity-type': 1,
    'did-win': true,
    'postback-sequence-index': 0,
  };
  const signature = sign('sha256', Buffer.from(Object.values(fields).join('\u2063')), device.privateKey);
  return JSON.stringify(
    { 'conversion-value': 5, ...fields, 'attribution-signature': signature.toString('base64') },
    null,
    2,
  );
}

function jwsPostbackOf(itemId: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    'postback-identifier': randomUUID(),
    'ad-network-identifier': NETWORK,
    'source-identifier': '1239',
    'advertised-item-identifier': itemId,
    'publisher-item-identifier': 99,
    'conversion-type': 'download',
    'did-win': true,
    'postback-sequence-index': 0,
  };
  const text = `${part({ alg: 'ES256', kid: 'apple-cas-identifier/0' })}.${part(claims)}`;
  const key = { key: device.privateKey, dsaEncoding: 'ieee-p1363' as const };
  const signature = sign('sha256', Buffer.from(text), key).toString('base64url');
  return JSON.stringify({ 'jws-string': `${text}.${signature}`, 'ad-interaction-type': 'click' }, null, 1);
}

/** The id by which receivers tell postbacks apart. */
function idOf(body: string): string {
  const fields = JSON.parse(body) as Record<string, string>;
  const claims = fields['jws-string']?.split('.')[1];
  if (claims === undefined) return fields['transaction-id']!;
  const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>;
  return read['postback-identifier']!;
}

/** The body of the device, without the time of its arrival at this server. */
const withoutAdded = (text: string): string => text.replace(/,"timestamp":"\d+"\}$/, '}');
