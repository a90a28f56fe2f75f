/** The public interface of campaigns for other parts of the server. */
export { registerAdsets } from './adsets/routes.ts';
export { adsetOf, adsetsOfCompany, namesOfAdsets, spendOfAdsets } from './adsets/service.ts';
export { registerApprovals } from './approvals/routes.ts';
export { registerArchive } from './archive/routes.ts';
export { registerComments } from './comments/routes.ts';
export { registerDrafts } from './drafts/routes.ts';
export { registerDuplicates, registerCampaigns } from './routes.ts';
export { registerHistory } from './history/routes.ts';
export { withUndo } from './history/service.ts';
export { campaignOf, campaignsOfCompany, countActiveCampaigns } from './service.ts';
export { pauseCampaign, startCampaign } from './start.ts';
export { campaignJobs } from './jobs.ts';
