import { join } from 'node:path';
import type { Registry } from 'prom-client';
import {
  type Delivery,
  type SharedIntake,
  createDelivery,
  createInvalidTrafficDetector,
  createSigner,
  ownIntake,
  shareIntake,
} from '../../delivery/public.ts';
import type { Context } from '../../context.ts';
import { fundsOfAll, recordCorrections } from '../../modules/money/public.ts';
import { notifyOnce } from '../../modules/messaging/public.ts';
import { publicUrlOf } from '../../platform/http/public-url.ts';
import type { Bus } from '../../platform/nats/bus.ts';
import type { Databases } from './databases.ts';
import type { Lifetime } from './lifetime.ts';
import type { AppOptions } from './options.ts';

interface OwnDeps {
  ctx: Context;
  bus: Bus | null;
  registry: Registry;
  random: () => number;
  postbackAnswerMs: AppOptions['postbackAnswerMs'];
}

/** Starts the half of the server that spends money, with its dependencies in the other half. */
export async function openDelivery(
  lifetime: Lifetime,
  databases: Databases,
  { ctx, bus, registry, random, postbackAnswerMs }: OwnDeps,
): Promise<Delivery> {
  const { config, log, now, startup, closing } = lifetime;
  const publicUrl = publicUrlOf(config);
  const { databaseUrl, roles, dataDir } = config;
  const delivery = await createDelivery({
    ...databases,
    ingest: databases.events.ingest,
    onCounted: databases.events.onCounted,
    intake: openIntake(lifetime, databases),
    signer: createSigner(config.signingSecret, publicUrl, config.previousSigningSecret),
    log,
    registry,
    now,
    files: ctx.files,
    audienceBytesMax: config.audienceBytesMax,
    encryption: ctx.encryption,
    random,
    postbackAnswerMs,
    publicUrl,
    assetUrl: config.assetOrigin ?? publicUrl,
    tcfVendorId: config.tcfVendorId,
    verification: config.verification,
    detectInvalidTraffic: createInvalidTrafficDetector(config.datacenterRanges),
    geoIpDatabase: config.geoIpDatabase,
    installPostbackTestKey: config.installPostbackTestKey,
    memoryMib: config.memoryMib,
    frequencyMaxBytes: config.frequencyMaxBytes,
    personSecret: config.signingSecret,
    bids: roles.has('bidder'),
    tracks: roles.has('tracker'),
    forecasts: roles.has('api'),
    dataDir,
    funds: () => fundsOfAll(ctx),
    notifyOwner: ({ companyId, adsetId, ...notice }) =>
      notifyOnce(ctx, companyId, {
        kind: 'adset',
        ...notice,
        entity: { type: 'adset', uuid: adsetId },
      }),
    recordCorrections: (tx, corrections) => recordCorrections(ctx, tx, corrections),
    startup,
    bus,
    changesUrl: databaseUrl ?? null,
    snapshotFolder:
      databaseUrl && (roles.has('bidder') || roles.has('tracker')) ? join(dataDir, 'snapshot') : null,
  });
  return closing('delivery', delivery, () => delivery.close());
}

/** Whether trackers accept events: of this process, or of all processes of a shared database. */
function openIntake({ config, log, now, closing }: Lifetime, { db, events }: Databases): SharedIntake {
  const intake = config.databaseUrl
    ? shareIntake({
        db,
        log,
        now,
        own: config.roles.has('tracker') ? events.ingest : null,
        bids: config.roles.has('bidder'),
      })
    : ownIntake(events.ingest);
  return closing('intake', intake, () => intake.stop());
}
