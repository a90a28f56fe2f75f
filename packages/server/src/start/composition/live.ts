import { randomUUID } from 'node:crypto';
import type { EntityChange, Context } from '../../context.ts';
import { enrolledSessionOf, usersOfSessions } from '../../modules/identity/public.ts';
import { type LiveMetrics, liveMetrics } from '../../modules/insight/public.ts';
import { createEncryption } from '../../platform/encryption.ts';
import { createResponseCache, ResponseMemory } from '../../platform/http/bodies/response-cache.ts';
import { brandedMail, senderOf } from '../../platform/brand/branded-mail.ts';
import { type BrandReader, createBrandReader } from '../../platform/brand/brand-reader.ts';
import { consoleUrlOf } from '../../platform/brand/page-brand.ts';
import { type Mailer, createMailer } from '../../platform/mail/mailer.ts';
import { mmpOfHost } from '@bidwell/contract/measurement/partners/partners';
import { type StandIn, createLinkFollower } from '../../platform/outbound/follow-link.ts';
import { createPartnerCaller } from '../../platform/outbound/call-partner.ts';
import { createPoster } from '../../platform/outbound/post-message.ts';
import { createFileFetcher } from '../../platform/outbound/fetch-file.ts';
import { createObjectPutter } from '../../platform/outbound/put-object.ts';
import { createPageFetcher } from '../../platform/outbound/fetch-page.ts';
import { createProviderFetch } from '../../platform/outbound/provider-fetch.ts';
import { resolveTxt } from '../../platform/outbound/txt-records.ts';
import { createIdentityProviders } from '../../platform/oidc/identity-providers.ts';
import { createCentrifugo } from '../../platform/realtime/centrifugo.ts';
import { fanOut, noOtherNodes, natsNodes } from '../../platform/realtime/fan-out.ts';
import type { Nats } from '../../platform/nats/connection.ts';
import type { Pages } from '../../platform/realtime/publisher.ts';
import { createRealtime } from '../../platform/realtime/server.ts';
import { withRequest } from '../../platform/telemetry/request-id.ts';
import type { Databases } from './databases.ts';
import type { Lifetime } from './lifetime.ts';
import type { AppOptions } from './options.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeUploads } from '../../modules/catalog/public.ts';
import { openFileCache } from '../../platform/files/file-cache.ts';
import { type FileStore, localFileStore, removePartialFiles } from '../../platform/files/file-store.ts';
import { openBucket } from '../../platform/files/s3-bucket.ts';
import { s3FileStore } from '../../platform/files/s3-file-store.ts';

/** The dependencies of services, and the updates of open pages. */
export interface LiveContext {
  ctx: Context;
  pages: Pages;
  figures: LiveMetrics;
  /** Adds a listener to changes of entities. */
  onChanged: (listener: (change: EntityChange) => void) => void;
  /** Adds a listener to messages that wait. */
  onMessageQueued: (listener: Context['onMessageQueued']) => void;
  /** Adds a listener to changes that affect the bids of all companies. */
  onInstallationChanged: (listener: () => void) => void;
}

/** The server that is called in place of measurement partners, as the links to them are followed. */
function standInFor(origin: string | null): StandIn | null {
  return origin === null ? null : { origin, isFor: (host) => mmpOfHost(host) !== undefined };
}

/** Opens live updates and puts the dependencies of services together. */
export async function openContext(
  lifetime: Lifetime,
  { db, replica, clickhouse, events }: Databases,
  { nats, options }: { nats: Nats | null; options: AppOptions },
): Promise<LiveContext> {
  const { config, log, now, closing } = lifetime;
  const files = await openFiles(lifetime);
  // No wait from here on: messages of other processes may arrive as soon as they are subscribed to.
  const pages =
    config.live.kind === 'centrifugo'
      ? createCentrifugo(config.live, log, async (sessionIds) => usersOfSessions(db, sessionIds))
      : createRealtime(
          // Until the token is read, all pages that connect are as of one address.
          async (token) =>
            withRequest(randomUUID(), 'connecting pages', async () => enrolledSessionOf(ctx, token)),
          config.publicUrl,
        );
  // Pages that are connected to Centrifugo are reached by every process.
  const nodes = nats && config.live.kind === 'own' ? natsNodes(nats) : noOtherNodes;
  const live = fanOut(pages, nodes, {
    moved: (companyIds) => figures.movedElsewhere(companyIds),
  });
  const brand = createBrandReader(db, log);
  const listeners: ((change: EntityChange) => void)[] = [];
  const ofInstallation: (() => void)[] = [];
  const ofMessages: Context['onMessageQueued'][] = [];
  const ctx: Context = {
    config,
    log,
    db,
    replica,
    clickhouse,
    files,
    realtime: live,
    responseCache: createResponseCache(),
    responseMemory: new ResponseMemory(config.responsesMaxBytes),
    fetchPage: config.storePages ? (options.fetchPage ?? createPageFetcher()) : null,
    followLink: options.followLink ?? createLinkFollower({ standIn: standInFor(config.partnerStandIn) }),
    postMessage: options.postMessage ?? createPoster(config.alertInternalHosts),
    callPartner: createPartnerCaller(config.partnerStandIn),
    fetchFile: createFileFetcher(config.alertInternalHosts),
    putObject: createObjectPutter(config.alertInternalHosts),
    identityProviders: createIdentityProviders(
      options.providerFetch ?? createProviderFetch({ trustedHosts: config.ssoPrivateHosts }),
    ),
    resolveTxt: options.resolveTxt ?? resolveTxt,
    mailer: openMailer(lifetime, brand),
    brand,
    encryption: createEncryption(config.encryptionKeys),
    onEntityChanged: (change) => {
      for (const listener of listeners) listener(change);
    },
    onInstallationChanged: () => {
      for (const listener of ofInstallation) listener();
    },
    onMessageQueued: (lane) => {
      for (const listener of ofMessages) listener(lane);
    },
    onSessionsEnded: (sessionIds) => live.endSessions(sessionIds),
    now,
  };
  const { mailer } = ctx;
  if (mailer) closing('mails', mailer, async () => mailer.close());
  const figures = liveMetrics(ctx, {
    isOpen: (companyId) => pages.isOpen(companyId),
    send: (companyId, message) => pages.toCompany(companyId, message),
    notifyMoved: (companyIds) => live.notifyMoved(companyIds),
  });
  closing('figures', figures, () => figures.stop());
  events.onCounted((counted) => {
    figures.moved(new Set(counted.flatMap(({ ref }) => (ref.test ? [] : [ref.companyId]))));
  });
  return {
    ctx,
    pages,
    figures,
    onChanged: (listener) => void listeners.push(listener),
    onInstallationChanged: (listener) => void ofInstallation.push(listener),
    onMessageQueued: (listener) => void ofMessages.push(listener),
  };
}

/** Opens the way to the mail server. Mails have the brand of the moment in which they are sent; null where the server sends none. */
function openMailer({ config }: Lifetime, brand: BrandReader): Mailer | null {
  const { mail: settings } = config;
  if (!settings) return null;
  return createMailer(settings, {
    async dress(mail) {
      const current = await brand.current();
      return {
        ...brandedMail(mail, current, consoleUrlOf(current, config)),
        from: senderOf(settings.from, current),
      };
    },
  });
}

/**
 * Opens the store of creative files: S3 behind a local cache if S3_ENDPOINT is set, else a local folder. A process that
 * stores or serves files checks the bucket first; while S3 does not respond, it starts and checks it later.
 */
async function openFiles({ config, log, startup, closing }: Lifetime): Promise<FileStore> {
  const { s3, dataDir, fileCacheMaxBytes: bytesMax, roles } = config;
  const folder = join(dataDir, 'files');
  // Left by a killed process: no other process uses this folder.
  await removeUploads(dataDir);
  await removePartialFiles(folder);
  if (!s3) return localFileStore(folder);
  const bucket = openBucket(s3, log, { bytesMax });
  closing('files', bucket, () => bucket.close());
  const cache = await openFileCache(join(dataDir, 'file-cache'), bytesMax);
  if (roles.has('api') || roles.has('tracker')) {
    await startup.attempt('check the S3 bucket', () => bucket.check(cache.temporaryPath()));
    if ((await readdir(folder).catch(() => [])).length > 0)
      log.warn(
        { folder },
        'files in this folder are not read, because S3_ENDPOINT is set: copy them once with copy-files, then delete the folder',
      );
  }
  return s3FileStore(bucket, cache);
}
