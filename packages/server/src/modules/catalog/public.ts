/** The public interface of catalog for other parts of the server. */
export type { PublisherPage, PublisherPages } from './apps/publisher-pages.ts';
export { publisherPageNames, startPublisherPages } from './apps/publisher-pages.ts';
export { registerApps } from './apps/routes.ts';
export {
  appStartErrors,
  appsOf,
  appsOfCompany,
  deleteAppRow,
  getApp,
  lockAppsOf,
  requireApp,
} from './apps/service.ts';
export { registerPartnerAudiences } from './audiences/partner-routes.ts';
export { registerAudiences } from './audiences/routes.ts';
export { eraseFromAudiences, hasUploadsFrom } from './audiences/erase-person.ts';
export { type AudienceInBrief, audiencesInBrief } from './audiences/service.ts';
export { targetAudiences } from './audiences/store.ts';
export {
  audienceNaming,
  excludesAllIncluded,
  requireAudiences,
  requireNoContradiction,
} from './audiences/used-audiences.ts';
export { registerCreativeGroups } from './creative-groups/routes.ts';
export { getGroup, groupsOfCompany, knownGroups } from './creative-groups/service.ts';
export { registerFiles, registerMedia } from './creatives/files.ts';
export { removeUploads } from './creatives/receive.ts';
export { registerCreatives } from './creatives/routes.ts';
export {
  creativesOfCompany,
  deleteUnusedCreative,
  dropApprovedFile,
  getCreative,
  previewOf,
  previewOnPage,
  requireRoomFor,
} from './creatives/service.ts';
export { requireRoom } from './entity-limits-store.ts';
export { registerPostbackSettings } from './postbacks/routes.ts';
export { recentOutcomes } from './postbacks/service.ts';
export { registerReference } from './reference/routes.ts';
export { requireExchanges } from './reference/service.ts';
export { registerStorage } from './storage/routes.ts';
export { storageOf } from './storage/service.ts';
export { registerTargets } from './targets/routes.ts';
export { changeTarget, duplicateTarget, getTarget, lockedTarget, targetsByUuid } from './targets/service.ts';
export { registerTrackingLinks } from './tracking-links/routes.ts';
export { getTrackingLink, linkOf, linksOfCompany, linksWithApps } from './tracking-links/service.ts';
export { catalogJobs } from './jobs.ts';
