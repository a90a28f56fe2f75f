import { CONSOLE_API, OPERATOR_API } from '@bidwell/contract/lib/endpoint';
import type { FastifyRequest } from 'fastify';
import { registerBackup } from '../../backup/routes.ts';
import type { Delivery } from '../../delivery/delivery.ts';
import type { Engines } from '../../context.ts';
import { endLoggedOutSession, registerPublicAccounts, registerUsers } from '../../modules/accounts/routes.ts';
import { registerApiTokens } from '../../modules/accounts/tokens/api-token-routes.ts';
import { registerViewerSessions } from '../../modules/accounts/sessions/viewer-routes.ts';
import { sessionOf } from '../../modules/accounts/service.ts';
import { apiTokenSession } from '../../modules/accounts/tokens/api-tokens.ts';
import { registerAdsets } from '../../modules/adsets/routes.ts';
import { registerArchive } from '../../modules/archive/routes.ts';
import { registerDuplicates } from '../../modules/duplicates/routes.ts';
import { registerApps } from '../../modules/apps/routes.ts';
import { registerCampaigns } from '../../modules/campaigns/routes.ts';
import { pauseCampaign, startCampaign } from '../../modules/campaigns/start.ts';
import { registerCreativeGroups } from '../../modules/creative-groups/routes.ts';
import { registerFiles } from '../../modules/creatives/files.ts';
import { registerCreatives } from '../../modules/creatives/routes.ts';
import { registerFinance } from '../../modules/finance/routes.ts';
import { registerNotifications } from '../../modules/notifications/routes.ts';
import { registerOperatorAccounts, registerOperatorLogin } from '../../modules/operator-accounts/routes.ts';
import { operatorOfSession } from '../../modules/operator-accounts/service.ts';
import { operatorSessionOf } from '../../modules/operator-accounts/session-cookie.ts';
import { registerCompanyProfile } from '../../modules/operator/companies/company-profile-routes.ts';
import { registerOperator } from '../../modules/operator/routes.ts';
import { registerPostbackSettings } from '../../modules/postbacks/routes.ts';
import { registerReference } from '../../modules/reference/routes.ts';
import { registerStorage } from '../../modules/storage/routes.ts';
import { registerTargets } from '../../modules/targets/routes.ts';
import { registerTrackingLinks } from '../../modules/tracking-links/routes.ts';
import { registerHistory } from '../../modules/history/routes.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { requireSessions } from '../../platform/http/calls-at-once.ts';
import { serveDocument } from '../../platform/http/openapi/document.ts';
import { requireOperator } from '../../platform/http/operator-auth.ts';
import { limitResponses } from '../../platform/http/response-memory.ts';
import type { Http } from '../../platform/http/server.ts';
import { limitWrites } from '../../platform/http/write-limit.ts';
import { repeatableWrites } from '../../platform/idempotency/repeatable-writes.ts';
import { registerReportCalls } from './report-calls.ts';

/** Registers the API of the console, behind sessions and API tokens, and the API of operators. */
export async function registerApi(
  http: Http,
  admin: Http,
  {
    engines,
    delivery,
  }: { engines: Engines; delivery: Pick<Delivery, 'market' | 'testRequest' | 'forecaster' | 'testClickId'> },
): Promise<void> {
  const { config } = engines;
  http.decorateRequest('session', null);
  admin.decorateRequest('operator', null);
  for (const server of new Set([http, admin])) await serveDocument(server, config);
  const readSession = async (token: string) => {
    const read = await sessionOf(engines, token);
    return typeof read === 'string' ? null : read.session;
  };
  const endLoggedOut = endLoggedOutSession(engines);
  await http.register(
    async (scope: Http) => {
      scope.addHook('onRequest', endLoggedOut);
      await registerPublicAccounts(scope, engines);
      await scope.register(async (viewers: Http) => registerViewerSessions(viewers, engines));
    },
    { prefix: CONSOLE_API },
  );
  await http.register(
    async (scope: Http) => {
      const readApiToken = async (token: string) => apiTokenSession(engines, token);
      scope.addHook('onRequest', endLoggedOut);
      requireSessions(scope, readSession, readApiToken);
      await limitWrites(scope, config.writesPerMinute);
      limitResponses(scope, engines.responseMemory, (request) => actorOf(request).companyId);
      await registerModules(scope, engines, delivery);
    },
    { prefix: CONSOLE_API },
  );
  await admin.register(async (scope: Http) => registerOperatorLogin(scope, engines), {
    prefix: OPERATOR_API,
  });
  await admin.register(
    async (scope: Http) => {
      const readOperator = async (request: FastifyRequest) => {
        const session = operatorSessionOf(config, request);
        return session === undefined ? null : operatorOfSession(engines, session);
      };
      scope.addHook('onRequest', requireOperator(config.operatorToken, readOperator, engines.now));
      limitResponses(scope, engines.responseMemory, () => 'operators');
      repeatableWrites(scope, engines);
      registerOperatorAccounts(scope, engines);
      registerOperator(scope, engines, delivery.testRequest);
      await registerBackup(scope, engines);
    },
    { prefix: OPERATOR_API },
  );
}

async function registerModules(
  scope: Http,
  engines: Engines,
  { market, forecaster, testClickId }: Pick<Delivery, 'market' | 'forecaster' | 'testClickId'>,
): Promise<void> {
  // Each has its own limits for multipart forms.
  await scope.register(async (users: Http) => registerUsers(users, engines));
  await scope.register(async (creatives: Http) => registerCreatives(creatives, engines));
  registerFiles(scope, engines);
  registerStorage(scope, engines);
  registerApps(scope, engines);
  registerCreativeGroups(scope, engines);
  registerTargets(scope, engines);
  await scope.register(async (links: Http) => registerTrackingLinks(links, engines));
  registerAdsets(scope, engines);
  registerCampaigns(scope, engines);
  registerArchive(scope, engines);
  registerDuplicates(scope, engines);
  registerApiTokens(scope, engines);
  await scope.register(async (reports: Http) =>
    registerReportCalls(reports, engines, { market, forecaster }),
  );
  registerFinance(scope, engines);
  registerNotifications(scope, engines);
  registerCompanyProfile(scope, engines);
  registerHistory(scope, engines, { start: startCampaign, pause: pauseCampaign });
  registerReference(scope, engines);
  await scope.register(async (postbacks: Http) => registerPostbackSettings(postbacks, engines, testClickId));
}
