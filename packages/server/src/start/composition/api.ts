import { CONSOLE_API, OPERATOR_API } from '@bidwell/contract/lib/endpoint';
import type { FastifyRequest } from 'fastify';
import { registerBackup } from '../../backup/routes.ts';
import type { Delivery } from '../../delivery/public.ts';
import type { Context } from '../../context.ts';
import {
  apiTokenSession,
  endLoggedOutSession,
  operatorOfSession,
  operatorSessionOf,
  registerApiTokens,
  registerOperatorAccounts,
  registerOperatorLogin,
  registerPeople,
  registerPublicAccounts,
  registerSignIn,
  registerSso,
  registerUsers,
  registerViewerSessions,
  sessionOf,
} from '../../modules/identity/public.ts';
import {
  registerAlertRules,
  registerBidLog,
  registerCampaignReports,
  registerCompanyOverview,
  registerInsight,
} from '../../modules/insight/public.ts';
import {
  registerAlerts,
  registerNotifications,
  registerUnsubscribe,
} from '../../modules/messaging/public.ts';
import { registerMcp } from '../../mcp/routes.ts';
import {
  pauseCampaign,
  registerAdsets,
  registerApprovals,
  registerArchive,
  registerCampaigns,
  registerComments,
  registerDrafts,
  registerDuplicates,
  registerHistory,
  startCampaign,
} from '../../modules/campaigns/public.ts';
import {
  registerApps,
  registerCreativeGroups,
  registerCreatives,
  registerFiles,
  registerPostbackSettings,
  registerReference,
  registerStorage,
  registerAudiences,
  registerPartnerAudiences,
  registerTargets,
  registerTrackingLinks,
} from '../../modules/catalog/public.ts';
import {
  registerConversionValues,
  registerCostReports,
  registerMeasurement,
  registerPartnerDeliveries,
  registerPostbackReports,
} from '../../modules/measurement/public.ts';
import { registerFinance, registerInvoices, registerReconciliation } from '../../modules/money/public.ts';
import { registerExchangeReviews } from '../../modules/moderation/public.ts';
import { registerCompanyProfile, registerOperator } from '../../modules/operations/public.ts';
import {
  registerReportDestinations,
  registerWarehouseExport,
  registerReportSchedules,
  registerReportUnsubscribe,
  exportQueue,
  registerExports,
  registerReports,
  reportQueue,
} from '../../modules/reporting/public.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { clientAddress } from '../../platform/http/auth/client.ts';
import { requireSessions } from '../../platform/http/limits/calls-at-once.ts';
import { serveDocument } from '../../platform/http/openapi/document.ts';
import { requireOperator } from '../../platform/http/auth/operator-auth.ts';
import { keyLimit, limitWrites } from '../../platform/http/limits/rate-limit.ts';
import { limitResponses } from '../../platform/http/bodies/response-cache.ts';
import type { Http } from '../../platform/http/server.ts';
import { rejectUnusedKey, repeatableWrites } from '../../platform/idempotency/idempotency.ts';
import rateLimit from '@fastify/rate-limit';

/** Registers the API of the console, behind sessions and API keys, and the API of operators. */
export async function registerApi(
  http: Http,
  admin: Http,
  {
    ctx,
    delivery,
  }: {
    ctx: Context;
    delivery: Pick<Delivery, 'market' | 'testRequest' | 'certify' | 'forecaster' | 'testClickId'>;
  },
): Promise<void> {
  const { config } = ctx;
  http.decorateRequest('session', null);
  admin.decorateRequest('operator', null);
  for (const server of new Set([http, admin])) await serveDocument(server, config);
  const readSession = async (token: string) => {
    const read = await sessionOf(ctx, token);
    return typeof read === 'string' ? null : read.session;
  };
  const endLoggedOut = endLoggedOutSession(ctx);
  const readApiKey = async (token: string, request: FastifyRequest) =>
    apiTokenSession(ctx, token, clientAddress(request));
  await http.register(
    async (scope: Http) => {
      scope.addHook('onRequest', endLoggedOut);
      await registerPublicAccounts(scope, ctx);
      await scope.register(async (mails: Http) => registerUnsubscribe(mails, ctx));
      await scope.register(async (mails: Http) => registerReportUnsubscribe(mails, ctx));
      await scope.register(async (viewers: Http) => registerViewerSessions(viewers, ctx));
      await scope.register(async (partners: Http) =>
        registerPartnerAudiences(partners, ctx, { read: readApiKey, limit: await keyLimit(partners) }),
      );
    },
    { prefix: CONSOLE_API },
  );
  await http.register(
    async (scope: Http) => {
      scope.addHook('onRequest', endLoggedOut);
      requireSessions(scope, readSession, {
        read: readApiKey,
        limit: await keyLimit(scope),
      });
      await limitWrites(scope, config.writesPerMinute);
      scope.addHook('onRequest', rejectUnusedKey);
      limitResponses(scope, ctx.responseMemory, (request) => actorOf(request).companyId);
      await registerModules(scope, ctx, delivery);
    },
    { prefix: CONSOLE_API },
  );
  await http.register(async (scope: Http) =>
    registerMcp(http, scope, ctx, { read: readApiKey, limit: await keyLimit(scope) }),
  );
  await admin.register(async (scope: Http) => registerOperatorLogin(scope, ctx), {
    prefix: OPERATOR_API,
  });
  await admin.register(
    async (scope: Http) => {
      const readOperator = async (request: FastifyRequest) => {
        const session = operatorSessionOf(config, request);
        return session === undefined ? null : operatorOfSession(ctx, session);
      };
      scope.addHook('onRequest', requireOperator(config.operatorToken, readOperator, ctx.now));
      limitResponses(scope, ctx.responseMemory, () => 'operators');
      repeatableWrites(scope, ctx);
      registerOperatorAccounts(scope, ctx);
      registerOperator(scope, ctx, delivery);
      await registerBackup(scope, ctx);
    },
    { prefix: OPERATOR_API },
  );
}

async function registerModules(
  scope: Http,
  ctx: Context,
  { market, forecaster, testClickId }: Pick<Delivery, 'market' | 'forecaster' | 'testClickId'>,
): Promise<void> {
  // Each has its own limits for multipart forms.
  await scope.register(async (users: Http) => registerUsers(users, ctx));
  await scope.register(async (people: Http) => registerPeople(people, ctx));
  await scope.register(async (signIn: Http) => registerSignIn(signIn, ctx));
  await scope.register(async (sso: Http) => registerSso(sso, ctx));
  await scope.register(async (creatives: Http) => registerCreatives(creatives, ctx));
  registerFiles(scope, ctx);
  registerStorage(scope, ctx);
  registerApps(scope, ctx);
  registerConversionValues(scope, ctx);
  registerCreativeGroups(scope, ctx);
  await scope.register(async (audiences: Http) => registerAudiences(audiences, ctx));
  registerTargets(scope, ctx);
  await scope.register(async (links: Http) => registerTrackingLinks(links, ctx));
  registerAdsets(scope, ctx);
  registerDrafts(scope, ctx);
  await scope.register(async (comments: Http) => registerComments(comments, ctx));
  registerCampaigns(scope, ctx);
  registerApprovals(scope, ctx);
  registerArchive(scope, ctx);
  registerDuplicates(scope, ctx);
  registerApiTokens(scope, ctx);
  await scope.register(async (reports: Http) => registerReportCalls(reports, ctx, { market, forecaster }));
  registerFinance(scope, ctx);
  registerInvoices(scope, ctx);
  registerNotifications(scope, ctx);
  await scope.register(async (alerts: Http) => registerAlerts(alerts, ctx));
  registerAlertRules(scope, ctx);
  await scope.register(async (schedules: Http) => registerReportSchedules(schedules, ctx));
  await scope.register(async (destinations: Http) => registerReportDestinations(destinations, ctx));
  registerWarehouseExport(scope, ctx);
  registerCompanyProfile(scope, ctx);
  registerHistory(scope, ctx, { start: startCampaign, pause: pauseCampaign });
  registerReference(scope, ctx);
  await scope.register(async (postbacks: Http) => registerPostbackSettings(postbacks, ctx, testClickId));
  await scope.register(async (deliveries: Http) => registerPartnerDeliveries(deliveries, ctx));
  await scope.register(async (reviews: Http) => registerExchangeReviews(reviews, ctx));
}

/** Registers the calls that read events, which share two fair queues: one for reports, one for exports. */
async function registerReportCalls(
  http: Http,
  ctx: Context,
  delivery: Pick<Delivery, 'market' | 'forecaster'>,
): Promise<void> {
  await http.register(rateLimit, { global: false });
  const reports = reportQueue(http, ctx.config);
  const exports = exportQueue(http, ctx.config);
  registerReports(http, ctx, reports);
  registerExports(http, ctx, exports);
  registerBidLog(http, ctx, { reports, exports });
  registerMeasurement(http, ctx, reports);
  registerCostReports(http, ctx, reports);
  registerPostbackReports(http, ctx, reports);
  registerReconciliation(http, ctx, reports);
  registerCampaignReports(http, ctx, reports);
  registerCompanyOverview(http, ctx, reports);
  registerInsight(http, ctx, delivery, reports);
}
