import { warehouseApiMessages } from '@bidwell/contract/warehouse/api-messages';
import {
  REPORT_DESTINATIONS_MAX,
  type NewReportDestination,
  type ReportDestination,
  type ReportDestinationInput,
  type ReportDestinationTest,
} from '@bidwell/contract/report-schedules/destination-schema';
import { companyAlertMessages } from '@bidwell/contract/alerts/messages';
import { reportScheduleApiMessages } from '@bidwell/contract/report-schedules/api-messages';
import { reportScheduleMessages } from '@bidwell/contract/report-schedules/messages';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../../context.ts';
import type { Actor } from '../../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../../platform/errors.ts';
import { isInternalHost } from '../../../../platform/outbound/receivers.ts';
import { newSigningSecret } from '../../../../platform/outbound/sign-message.ts';
import { requirePermission } from '../../../../platform/permissions.ts';
import { transact } from '../../../../platform/postgres/transaction.ts';
import { recordChange } from '../../../changes/public.ts';
import { companyNameOf } from '../../../messaging/public.ts';
import { isExportedTo } from '../../warehouse/warehouse-store.ts';
import { scheduleWith } from '../schedule-store.ts';
import { deliver } from './deliver.ts';
import {
  type S3Keys,
  destinationSecretPlace,
  type DestinationRow,
  findDestinationRows,
  listDestinationRows,
} from './destination-store.ts';
import {
  countOwnedLocked,
  deleteOwned,
  insertOwned,
  lockOwned,
} from '../../../../platform/postgres/stores/owned-store.ts';

/** The company's destinations, in the order of their creation. */
export async function listReportDestinations(ctx: Context, actor: Actor): Promise<ReportDestination[]> {
  requirePermission(actor, 'report_schedule.read');
  return (await listDestinationRows(ctx.db, actor.companyId)).map(presentDestination);
}

/**
 * Adds a destination. Only this response has the secret that signs the messages of a webhook. Throws Conflict if there are ten, and Invalid
 * for an address that would never be connected to.
 */
export async function createReportDestination(
  ctx: Context,
  actor: Actor,
  input: ReportDestinationInput,
): Promise<NewReportDestination> {
  requirePermission(actor, 'report_destination.write');
  const { companyId } = actor;
  const uuid = uuidv7();
  const { secret, signingSecret, ...values } = valuesOf(ctx, input);
  const row = {
    uuid,
    ...values,
    secret: ctx.encryption.encrypt(secret, destinationSecretPlace(uuid)),
    created_at: ctx.now(),
  };
  await transact(ctx.db, async (tx) => {
    if ((await countOwnedLocked(tx.db, 'report_destinations', companyId)) >= REPORT_DESTINATIONS_MAX)
      throw new Conflict(reportScheduleApiMessages.reportDestinationLimit(REPORT_DESTINATIONS_MAX));
    await insertOwned(tx.db, 'report_destinations', companyId, row);
    await recordChange(ctx, tx, actor, {
      entity: 'report_destination',
      uuid,
      name: row.name,
      after: loggedFields(row),
    });
  });
  return { ...presentDestination(row), signing_secret: signingSecret };
}

/** Removes a destination. Throws NotFound, and Conflict while a report is sent to it. */
export async function deleteReportDestination(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<void> {
  requirePermission(actor, 'report_destination.write');
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    const before = await lockOwned(tx.db, 'report_destinations', companyId, uuid);
    if (!before) throw new NotFound('Destination');
    const user = await scheduleWith(tx.db, companyId, uuid);
    if (user) throw new Conflict(reportScheduleApiMessages.reportDestinationUsed(user.name));
    if (await isExportedTo(tx.db, companyId, uuid)) throw new Conflict(warehouseApiMessages.destinationUsed);
    await deleteOwned(tx.db, 'report_destinations', companyId, uuid);
    await recordChange(ctx, tx, actor, {
      entity: 'report_destination',
      uuid,
      name: before.name,
      before: loggedFields(before),
    });
  });
}

/** Sends a test message, or stores a test object, and resolves to the outcome within half a minute. Throws NotFound. */
export async function testReportDestination(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<ReportDestinationTest> {
  requirePermission(actor, 'report_destination.write');
  const { companyId } = actor;
  const [destination] = await findDestinationRows(ctx.db, companyId, [uuid]);
  if (!destination) throw new NotFound('Destination');
  const { isDelivered, status, error } = await deliver(ctx, destination, {
    id: uuidv7(),
    message: {
      type: 'report.test',
      timestamp: ctx.now().toISOString(),
      data: {
        company_uuid: companyId,
        company_name: (await companyNameOf(ctx.db, companyId)) ?? '',
        report_schedule_uuid: null,
        name: destination.name,
        start_date: null,
        end_date: null,
        rows: null,
        file: null,
      },
    },
    file: {
      path: 'bidwell-test.txt',
      content: Buffer.from(reportScheduleMessages.reportTestFile),
      contentType: 'text/plain; charset=utf-8',
    },
  });
  return { is_delivered: isDelivered, response_status: status, error };
}

/** The stored values of an input, with the secret in plain text. Throws Invalid. */
function valuesOf(
  ctx: Context,
  input: ReportDestinationInput,
): Pick<DestinationRow, 'type' | 'name' | 'url' | 'region' | 'bucket' | 'prefix'> & {
  secret: string;
  signingSecret: string | null;
} {
  const url = new URL(input.url);
  if (url.protocol !== 'https:' && !isInternalHost(url, ctx.config.alertInternalHosts))
    throw new Invalid([
      {
        field: 'url',
        message: input.type === 's3' ? reportScheduleMessages.s3Url : companyAlertMessages.webhookUrl,
      },
    ]);
  const { type, name } = input;
  if (type === 'webhook') {
    const signingSecret = newSigningSecret(randomBytes(32));
    const none = { region: null, bucket: null, prefix: null };
    return { type, name, url: url.href, ...none, secret: signingSecret, signingSecret };
  }
  const { region, bucket, access_key_id: accessKeyId, secret_access_key: secretAccessKey } = input;
  const prefix = input.prefix === '' || input.prefix.endsWith('/') ? input.prefix : `${input.prefix}/`;
  const secret = JSON.stringify({ accessKeyId, secretAccessKey } satisfies S3Keys);
  return { type, name, url: url.origin, region, bucket, prefix, secret, signingSecret: null };
}

type Shown = Pick<DestinationRow, 'type' | 'name' | 'url' | 'region' | 'bucket' | 'prefix'>;

const loggedFields = ({ type, name, url, region, bucket, prefix }: Shown) => ({
  name,
  type,
  url,
  ...(type === 's3' && { region, bucket, prefix }),
});

function presentDestination(row: Omit<DestinationRow, 'company_uuid' | 'secret'>): ReportDestination {
  const { uuid, type, name, url, region, bucket, prefix, created_at } = row;
  return { uuid, type, name, url, region, bucket, prefix, created_at: created_at.toISOString() };
}
