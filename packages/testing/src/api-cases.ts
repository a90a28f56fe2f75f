import { accountCases, viewerCases } from './api-cases/accounts.ts';
import { alertCases } from './api-cases/alerts.ts';
import { appEventCases } from './api-cases/app-events.ts';
import { approvalCases } from './api-cases/approvals.ts';
import { archiveCases } from './api-cases/archive.ts';
import { campaignCases } from './api-cases/campaigns.ts';
import type { Case } from './api-cases/case.ts';
import { commentCases } from './api-cases/comments.ts';
import { draftCases } from './api-cases/drafts.ts';
import { creativeCases } from './api-cases/creatives.ts';
import { exchangeReviewCases } from './api-cases/exchange-reviews.ts';
import { groupCases } from './api-cases/groups.ts';
import { brandCases } from './api-cases/brand.ts';
import { invoiceCases } from './api-cases/invoices.ts';
import { operatorAccountCases } from './api-cases/operator-accounts.ts';
import { operatorPasskeyCases } from './api-cases/operator-passkeys.ts';
import { moderationCases } from './api-cases/moderation.ts';
import { operatorCases, operatorCompanyCases } from './api-cases/operator.ts';
import { partnerDeliveryCases } from './api-cases/partner-deliveries.ts';
import { peopleCases } from './api-cases/people.ts';
import { reportCases } from './api-cases/reports.ts';
import { reportScheduleCases } from './api-cases/report-schedules.ts';
import { settingsCases } from './api-cases/settings.ts';
import { signInCases } from './api-cases/sign-in.ts';
import { ssoCases } from './api-cases/single-sign-on.ts';
import { audienceCases, partnerAudienceCases } from './api-cases/audiences.ts';
import { targetCases } from './api-cases/targets.ts';
import type { TestApp } from './test-app.ts';

/** Cases for all operations of the document, by `METHOD /path/{template}`, for a server with `MODERATION=auto`. */
export function apiCases(app: TestApp): Record<string, Case> {
  return {
    ...accountCases(app),
    ...viewerCases(app),
    ...peopleCases(app),
    ...signInCases(app),
    ...ssoCases(app),
    ...campaignCases(app),
    ...draftCases(app),
    ...commentCases(app),
    ...approvalCases(app),
    ...groupCases(app),
    ...creativeCases(app),
    ...exchangeReviewCases(app),
    ...targetCases(app),
    ...audienceCases(app),
    ...partnerAudienceCases(app),
    ...appEventCases(app),
    ...archiveCases(app),
    ...reportCases(app),
    ...settingsCases(),
    ...partnerDeliveryCases(app),
    ...brandCases(app),
    ...invoiceCases(app),
    ...alertCases(app),
    ...reportScheduleCases(app),
    ...operatorCases(app),
    ...operatorCompanyCases(app),
    ...moderationCases(app),
    ...operatorAccountCases(app),
    ...operatorPasskeyCases(app),
  };
}
