import type { Mmp } from '../../apps/fields.ts';
import { type SourcePage, article } from './description.ts';

/**
 * How costs get to a measurement partner: `push`, the server sends them by day; `pull`, the partner reads them from this server's API; `other`,
 * nothing public says how.
 */
export type CostWay = 'push' | 'pull' | 'other';

/** How a measurement partner gets the costs of campaigns, as its public documents say. */
export interface CostFacts {
  way: CostWay;
  /** What to agree with the partner, in a sentence or two. */
  agree: string;
  /** Further ways that the partner documents. */
  alternatives: string;
  /** What no public document says; '' for nothing. */
  notDocumented: string;
  sources: readonly SourcePage[];
}

const PULL =
  'Give the partner an API key of your company with the scope “reports” and the address of the costs.';

/** The facts about costs by measurement partner. */
export const COST_FACTS: Readonly<Record<Mmp, CostFacts>> = {
  appsflyer: {
    way: 'push',
    agree:
      'AppsFlyer enables InCost for the ad network account and gives its API token (V2). The advertiser switches on “Get cost data” for the media source of each app.',
    alternatives: 'Costs on links (af_cost_value) are counted as costs of installs alone.',
    notDocumented: 'How often a token may upload, and whether an upload replaces a whole day or its rows.',
    sources: [
      article('support.appsflyer.com', '360007714957'),
      { title: 'InCost API', url: 'https://dev.appsflyer.com/hc/reference/incost-overview' },
      { title: 'App list API', url: 'https://dev.appsflyer.com/hc/reference/app-list-ad-nets-overview' },
    ],
  },
  adjust: {
    way: 'pull',
    agree: `Adjust reads costs from an API that it integrates for each network: ask its integrations team. ${PULL}`,
    alternatives:
      'The partner ad spend push API (POST app.adjust.com/cost) takes the cost of each single impression, by the cost_id of its link.',
    notDocumented: 'What Adjust expects of an API that it reads.',
    sources: [
      { title: 'Partner ad spend push API', url: 'https://dev.adjust.com/en/api/ad-spend-api' },
      {
        title: 'Partner ad spend push API, for marketers',
        url: 'https://help.adjust.com/en/article/partner-ad-spend-push-api',
      },
    ],
  },
  appmetrica: {
    way: 'other',
    agree: 'Nothing public describes costs of ad networks at AppMetrica.',
    alternatives: '',
    notDocumented: 'Whether AppMetrica takes costs of ad networks.',
    sources: [],
  },
  singular: {
    way: 'pull',
    agree: `Singular reads costs by day from an API with a start and an end date, as a data connector. ${PULL}`,
    alternatives: 'Singular also takes daily files by mail or from an S3 bucket: schedule a report.',
    notDocumented: '',
    sources: [
      article('support.singular.net', '360021157251'),
      article('support.singular.net', '360001353492'),
    ],
  },
  branch: {
    way: 'pull',
    agree: `Branch reads costs over an API connection that it builds for each partner, in a beta: ask Branch. ${PULL}`,
    alternatives: 'Parameters of links: ~cost, ~cost_currency and ~cost_model.',
    notDocumented: 'What Branch expects of an API that it reads.',
    sources: [
      {
        title: 'Cost data via API connection',
        url: 'https://help.branch.io/marketer-hub/cost-data-via-api-connection',
      },
      { title: 'Cost data on links', url: 'https://help.branch.io/using-branch/docs/cost-on-links' },
    ],
  },
  kochava: {
    way: 'pull',
    agree: `Kochava requests costs of the last days from the partner’s reporting API: ask its client success team. ${PULL}`,
    alternatives: 'Parameters of links: bid_type and bid_won, in dollars.',
    notDocumented: 'The fields that Kochava expects of an API that it reads.',
    sources: [
      {
        title: 'Campaign cost measurement',
        url: 'https://support.kochava.com/campaign-management/campaign-cost-measurement/',
      },
      {
        title: 'Cost configurations',
        url: 'https://support.kochava.com/articles/cost/3952-creating-and-editing-cost-configurations',
      },
    ],
  },
  tenjin: {
    way: 'pull',
    agree: `Tenjin reads the spend of ad networks from their APIs: ask Tenjin to integrate this one. ${PULL}`,
    alternatives: '',
    notDocumented: 'What Tenjin expects of an API that it reads.',
    sources: [],
  },
  other: {
    way: 'pull',
    agree: PULL,
    alternatives: '',
    notDocumented: 'What the partner expects.',
    sources: [],
  },
};
