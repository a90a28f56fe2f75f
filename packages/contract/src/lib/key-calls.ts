import { scopesWith } from '../accounts/scope.ts';
import type { Endpoint } from './endpoint.ts';
import * as accountsApiTokenEndpoints from '../accounts/api-token-endpoints.ts';
import * as accounts from '../accounts/endpoints.ts';
import * as accountsPeopleEndpoints from '../accounts/people-endpoints.ts';
import * as accountsViewerEndpoints from '../accounts/viewer-endpoints.ts';
import * as adsets from '../adsets/endpoints.ts';
import * as alerts from '../alerts/endpoints.ts';
import * as approvals from '../approvals/endpoints.ts';
import * as apps from '../apps/endpoints.ts';
import * as archive from '../archive/endpoints.ts';
import * as audiences from '../audiences/endpoints.ts';
import * as campaignReports from '../campaign-reports/endpoints.ts';
import * as campaigns from '../campaigns/endpoints.ts';
import * as changes from '../changes/endpoints.ts';
import * as comments from '../comments/endpoints.ts';
import * as companyOverview from '../company-overview/endpoints.ts';
import * as creativeGroups from '../creative-groups/endpoints.ts';
import * as creatives from '../creatives/endpoints.ts';
import * as creativesExchangeReviewEndpoints from '../creatives/exchange-review-endpoints.ts';
import * as creativesFileEndpoints from '../creatives/file-endpoints.ts';
import * as drafts from '../drafts/endpoints.ts';
import * as duplicates from '../duplicates/endpoints.ts';
import * as finance from '../finance/endpoints.ts';
import * as insight from '../insight/endpoints.ts';
import * as insightFindingEndpoints from '../insight/finding-endpoints.ts';
import * as insightForecastEndpoints from '../insight/forecast-endpoints.ts';
import * as invoices from '../invoices/endpoints.ts';
import * as measurement from '../measurement/endpoints.ts';
import * as measurementPartnerCostEndpoints from '../measurement/partner-cost-endpoints.ts';
import * as measurementPostbackCopyEndpoints from '../measurement/postback-copy-endpoints.ts';
import * as notifications from '../notifications/endpoints.ts';
import * as postbacks from '../postbacks/endpoints.ts';
import * as reference from '../reference/endpoints.ts';
import * as reportSchedulesDestinationEndpoints from '../report-schedules/destination-endpoints.ts';
import * as reportSchedules from '../report-schedules/endpoints.ts';
import * as reports from '../reports/endpoints.ts';
import * as skadnetworkConversionValueEndpoints from '../skadnetwork/conversion-value-endpoints.ts';
import * as skadnetworkReportEndpoints from '../skadnetwork/report-endpoints.ts';
import * as targets from '../targets/endpoints.ts';
import * as trackingLinks from '../tracking-links/endpoints.ts';
import * as warehouse from '../warehouse/endpoints.ts';

/** The modules of the console's API. */
const MODULES: readonly object[] = [
  accountsApiTokenEndpoints,
  accounts,
  accountsPeopleEndpoints,
  accountsViewerEndpoints,
  adsets,
  alerts,
  approvals,
  apps,
  archive,
  audiences,
  campaignReports,
  campaigns,
  changes,
  comments,
  companyOverview,
  creativeGroups,
  creatives,
  creativesExchangeReviewEndpoints,
  creativesFileEndpoints,
  drafts,
  duplicates,
  finance,
  insight,
  insightFindingEndpoints,
  insightForecastEndpoints,
  invoices,
  measurement,
  measurementPartnerCostEndpoints,
  measurementPostbackCopyEndpoints,
  notifications,
  postbacks,
  reference,
  reportSchedulesDestinationEndpoints,
  reportSchedules,
  reports,
  skadnetworkConversionValueEndpoints,
  skadnetworkReportEndpoints,
  targets,
  trackingLinks,
  warehouse,
];

/** A call that API keys may make, and the name by which clients call it. */
export interface NamedEndpoint {
  name: string;
  endpoint: Endpoint;
}

/**
 * The calls of the console's API that some API key may make, by name in order: methods of the client and tools of assistants. Throws
 * if two have the same name.
 */
export function keyEndpoints(): NamedEndpoint[] {
  const found = MODULES.flatMap((module) => [...endpointsIn(module, [])]).filter(
    ({ endpoint: { companyPermission } }) => companyPermission && scopesWith(companyPermission).length > 0,
  );
  const byName = new Map(found.map((each) => [each.name, each]));
  const twice = found.filter((each) => byName.get(each.name) !== each).map(({ name }) => name);
  if (twice.length > 0) throw new Error(`Two endpoints are named ${twice.join(', ')}`);
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function* endpointsIn(group: object, path: readonly string[]): Generator<NamedEndpoint> {
  for (const [key, value] of Object.entries(group) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null) continue;
    if (isEndpoint(value)) yield { name: nameOf(key, path), endpoint: value };
    else yield* endpointsIn(value, [...path, key]);
  }
}

function isEndpoint(value: object): value is Endpoint {
  return 'method' in value && 'path' in value;
}

/** `listApps` as it is; `archiveApp` of `archiveEndpoints.app.archive`, `duplicateApp` of `duplicateEndpoints.app`. */
function nameOf(key: string, [group, noun]: readonly string[]): string {
  if (group === undefined) return key;
  const words = noun === undefined ? [group.replace(/Endpoints$/, ''), key] : [key, noun];
  return words.join('_').replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase());
}
