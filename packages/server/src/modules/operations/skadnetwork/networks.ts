import type { KeyObject } from 'node:crypto';
import type { Network, NetworkInput } from '@bidwell/contract/skadnetwork/schema';
import type { Context } from '../../../context.ts';
import {
  UnusableKey,
  newPrivateKey,
  privateKeyPlace,
  privatePem,
  publicKeyOf,
  readPrivateKey,
} from '../../../delivery/public.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../../changes/public.ts';
import {
  type NetworkRow,
  listNetworkRows,
  lockNetwork,
  removeNetwork,
  upsertNetwork,
} from './skadnetwork-store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { lockSetting } from '../../../platform/postgres/locks.ts';

/** Every request is compared with each. */
const NETWORKS_MAX = 10;

/**
 * Adds or changes an ad network; bidders apply it within seconds. Its private key is the given one, the stored one, or of an added network a new
 * one. Throws Invalid for a key that Apple's frameworks do not verify with, for more than {@link NETWORKS_MAX} networks, and without a
 * key for a network whose key was lost: Apple knows that key's public half, so the signatures of a new key would not count.
 */
export async function putNetwork(
  ctx: Context,
  operator: Operator,
  { id, private_key: pem, ...settings }: NetworkInput & { id: string },
): Promise<Network> {
  requireOperatorPermission(operator, 'exchange.write');
  const given = pem === undefined ? null : keyOf(pem);
  const row = await transact(ctx.db, async (tx) => {
    await lockSetting(tx.db, `ad network ${id}`);
    const before = await lockNetwork(tx.db, id);
    await requireExpected(() => (before ? presentNetwork(before) : null));
    if (!before && (await listNetworkRows(tx.db)).length >= NETWORKS_MAX)
      throw new Invalid([{ field: 'id', message: `There are ${NETWORKS_MAX} networks: remove one before` }]);
    if (before?.private_key === null && !given)
      throw new Invalid([
        {
          field: 'private_key',
          message:
            'The private key of this network is lost with the key that encrypted it: paste it again. If you do not have it, remove the network, add it for a new key, and register that with Apple',
        },
      ]);
    const key = given ?? (before ? null : newPrivateKey());
    const after = await upsertNetwork(tx.db, {
      id,
      ...settings,
      private_key: key ? ctx.encryption.encrypt(privatePem(key), privateKeyPlace(id)) : before!.private_key,
      public_key: key ? publicKeyOf(key) : before!.public_key,
      created_at: before?.created_at ?? ctx.now(),
      changed_at: ctx.now(),
    });
    await recordAuditEntry(ctx, tx, operator, {
      action: before ? 'Changed' : 'Added',
      ...auditedAs(id),
      ...(before && { before: loggedFields(before) }),
      after: loggedFields(after),
    });
    return after;
  });
  ctx.onInstallationChanged();
  return presentNetwork(row);
}

/** Removes an ad network with its private key: no bid is signed for it and no postback of its ads counts any more. Throws NotFound. */
export async function deleteNetwork(
  ctx: Context,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  requireOperatorPermission(operator, 'exchange.write');
  await transact(ctx.db, async (tx) => {
    const before = await lockNetwork(tx.db, id);
    if (!before) throw new NotFound('Ad network');
    await requireExpected(() => presentNetwork(before));
    await removeNetwork(tx.db, id);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Removed',
      ...auditedAs(id),
      before: loggedFields(before),
    });
  });
  ctx.onInstallationChanged();
  return { id };
}

/** Converts a network into the response body, which never has the private key. */
export function presentNetwork(row: NetworkRow): Network {
  return {
    id: row.id,
    iab_number: row.iab_number,
    development_postbacks: row.development_postbacks,
    public_key: publicPem(row.public_key),
    has_private_key: row.private_key !== null,
    created_at: row.created_at.toISOString(),
    changed_at: row.changed_at.toISOString(),
  };
}

function keyOf(pem: string): KeyObject {
  try {
    return readPrivateKey(pem);
  } catch (error) {
    if (error instanceof UnusableKey) throw new Invalid([{ field: 'private_key', message: error.message }]);
    throw error;
  }
}

const PEM_LINE = /.{1,64}/g;

function publicPem(base64: string): string {
  return `-----BEGIN PUBLIC KEY-----\n${base64.match(PEM_LINE)!.join('\n')}\n-----END PUBLIC KEY-----\n`;
}

const auditedAs = (id: string) => ({ entity: 'ad network', entityId: id, name: id });

/** Without the private key; the public one shows that it changed. */
function loggedFields({
  private_key: _key,
  created_at: _created,
  changed_at: _changed,
  ...fields
}: NetworkRow) {
  return fields;
}
