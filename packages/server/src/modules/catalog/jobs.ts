import type { Context } from '../../context.ts';
import { daysBefore } from '../../platform/days-before.ts';
import type { LedJob } from '../../platform/jobs/leadership.ts';
import { notifyMissingDomains } from './apps/service.ts';
import {
  deleteEndedImports,
  endMatchPeriods,
  giveUpUploads,
  makeInstalledAudiences,
  queueRefreshes,
  runImports,
} from './audiences/jobs.ts';
import { deletePublisherPages } from './apps/publisher-pages.ts';

/** Age, in days, at which a page of a publisher's app is deleted. Reports fetch it again when they need it. */
const PUBLISHER_PAGE_DAYS = 90;

/** The jobs of apps. */
export const catalogJobs = (ctx: Context): LedJob[] => [
  { name: 'fetch advertiser domains', everyMs: 60_000, work: () => notifyMissingDomains(ctx) },
  {
    name: 'import audiences',
    everyMs: 1000,
    work: (stopping) => runImports(ctx, { lane: 'short' }, stopping),
    readsEvents: true,
  },
  // Apart from the others, which a list of ten million ids and a server that sends its file slowly would hold up.
  {
    name: 'import large audiences',
    everyMs: 1000,
    work: (stopping) => runImports(ctx, { lane: 'long' }, stopping),
  },
  {
    name: 'fetch audiences',
    everyMs: 1000,
    work: (stopping) => runImports(ctx, { lane: 'fetched' }, stopping),
  },
  { name: 'end periods of match rates', everyMs: 60_000, work: () => endMatchPeriods(ctx) },
  { name: 'refresh audiences', everyMs: 5000, work: () => queueRefreshes(ctx) },
  {
    name: 'make audiences of people who have an app',
    everyMs: 300_000,
    work: () => makeInstalledAudiences(ctx),
    readsEvents: true,
  },
  {
    name: 'give up uploads of audiences',
    everyMs: 600_000,
    work: async () => {
      await giveUpUploads(ctx);
      await deleteEndedImports(ctx);
    },
  },
  {
    name: 'delete old pages of publishers',
    everyMs: 3_600_000,
    work: () => deletePublisherPages(ctx.db, daysBefore(ctx.now(), PUBLISHER_PAGE_DAYS)),
  },
];
