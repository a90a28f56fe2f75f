import type { AudienceRule } from '@bidwell/contract/audiences/schema';
import type { FrequencyCap } from '@bidwell/contract/frequency/caps';
import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { Mmp, Os } from '@bidwell/contract/apps/fields';
import type { BillingDetails } from '@bidwell/contract/invoices/schema';
import type { Algorithm } from '@bidwell/contract/adsets/goals';
import type { AdsetInput } from '@bidwell/contract/adsets/schema';
import type { z } from 'zod';
import type { AppModel } from '../in-app-behaviour.ts';
import type { DemoUser } from './api.ts';
import type { Brand } from './artwork.ts';

export type Size = readonly [width: number, height: number];

/** A company of the demo: its user, and what the user has made. Days are counted back from the first start of the demo. */
export interface CompanyPlan {
  name: string;
  /** The login of its owner, which the demo prints. */
  user: DemoUser;
  firstName: string;
  lastName: string;
  email: string;
  /** Its other people and their work; only the owner by default. */
  team?: TeamPlan;
  /** Its billing details; none by default. */
  billing?: BillingDetails;
  /** Credits by the operator, the earliest first. */
  credits: readonly { daysAgo: number; dollars: number; reason: string }[];
  /** Margin on the media cost in percent, which the operator set at the start. */
  marginPercent: number;
  /** How many dollars the balance may go below zero; none by default. */
  creditLimitDollars?: number;
  /**
   * Finance lowered the credit limit then, at an hour of UTC, so that about this much is left of it at the first start if
   * the budgets are spent until then.
   */
  lowersCreditLimit?: { daysAgo: number; hour: number; leftDollars: number };
  /** A top-up in dollars that no one has confirmed yet. */
  topUpDollars?: number;
  /** The user last read the notifications then. */
  lastReadDaysAgo: number;
  apps: readonly AppPlan[];
}

/** The people of a company besides its owner, and their work of the last days. Campaigns and ad sets are given by name. */
export interface TeamPlan {
  colleagues: readonly ColleaguePlan[];
  /** Someone who has not accepted the invitation yet. */
  invited: { email: string; role: CompanyRole };
  /** Above which daily budgets of a campaign a second person has to approve. */
  approvalAboveDollars: number;
  /** A higher daily budget, for which the editor waits for an approval. */
  budget: { campaign: string; adset: string; dollars: number; note: string };
  /** The comments on a campaign, the earliest first: `by` and `to` are logins. */
  comments: readonly {
    campaign: string;
    by: string;
    to: string;
    daysAgo: number;
    hour: number;
    text: string;
  }[];
  /** A campaign that the editor has not finished, and a comment of the owner on it. */
  draft: { app: string; name: string; description: string; comment: string };
  /** A report that is mailed each week. */
  report: { name: string; to: readonly string[] };
  /** The name of a key for programs that read. */
  apiKey: string;
}

export interface ColleaguePlan {
  login: string;
  firstName: string;
  lastName: string;
  email: string;
  role: CompanyRole;
  joinedDaysAgo: number;
}

/** An app with its creatives and campaigns, which refer to each other by name. */
export interface AppPlan {
  name: string;
  description: string;
  os: Os;
  storeLink: string;
  bundleId: string;
  sizeKb: number;
  category: string;
  /** The purchases in it. */
  model: AppModel;
  /** The developer's own domain. */
  advertiserDomain: string;
  rating: number;
  mmp: Extract<Mmp, 'appsflyer' | 'adjust' | 'appmetrica'>;
  /** Token of the app's links at Adjust or AppMetrica. */
  linkToken?: string;
  /** A second tracking link, without the parameter in which AppsFlyer expects the publisher. */
  linkWithoutPublisher?: string;
  brand: Brand;
  /** Creative groups by name. */
  groups: Record<string, GroupPlan>;
  waiting: WaitingPlan;
  /** Audiences, which ad sets name. */
  audiences?: readonly AudiencePlan[];
  campaigns: readonly CampaignPlan[];
}

/** An audience: a list with a number of ids, or the people of a rule. */
export interface AudiencePlan {
  name: string;
  description: string;
  ids?: number;
  rule?: AudienceRule;
}

export interface GroupPlan {
  description: string;
  /** Sizes of the banners. */
  banners?: readonly Size[];
  /** Number of the brand's palettes in which each banner and native image is drawn; 1 by default. */
  palettes?: number;
  /** Sizes of the videos; each has an end card of the same size. */
  videos?: readonly Size[];
  playable?: boolean;
  /** Texts of native ads. */
  native?: { title: string; description: string; sponsor: string };
  /** When its creatives were uploaded; with the app by default. */
  addedDaysAgo?: number;
  /** A rejection of its creatives that also stops the approved version. */
  rejected?: { daysAgo: number; reason: string };
  /** The text of its pictures, in place of the brand's tagline. */
  tagline?: string;
}

/** The entities of an advertiser that no one has reviewed yet. */
export interface WaitingPlan {
  /** A new group, at an hour of UTC of the day before the first start. */
  group: { name: string; hour: number; plan: GroupPlan };
  /** New texts of a group of native ads that runs. */
  texts?: { group: string; title: string; description: string };
  /** A further tracking link. */
  link?: { name: string; clickUrl: string; viewUrl: string };
}

export interface CampaignPlan {
  name: string;
  /** Brings people back who have the app. */
  reEngages?: true;
  description: string;
  startedDaysAgo: number;
  /** Without an end it is paused still. */
  pause?: { fromDaysAgo: number; untilDaysAgo?: number };
  adsets: readonly AdsetPlan[];
}

/** Prices and budget of an ad set, in dollars. */
export interface AdsetPrices {
  cpmDollars: number;
  cpiDollars?: number;
  /** Of a person who buys something, for Target CPA. */
  cpaDollars?: number;
  /** Revenue of the first week for a dollar spent, in percent, for Target ROAS. */
  roasPercent?: number;
  dailyBudgetDollars: number;
}

export interface AdsetPlan extends AdsetPrices {
  name: string;
  algorithm: Algorithm;
  /** Its changes since it was created, at an hour of UTC, the earliest first. */
  changes?: readonly (Partial<AdsetPrices> & { daysAgo: number; hour?: number })[];
  /** Where a click leads in the app, and the audience of people who are brought back. The link passes it on to the partner. */
  comeback?: { deepLink: string; audience: string };
  /** Uses the app's second tracking link. */
  usesLinkWithoutPublisher?: boolean;
  groups: readonly string[];
  frequencyCaps?: readonly FrequencyCap[];
  /** Names of the app's audiences that it leaves out. */
  audiencesExcluded?: readonly string[];
  /** When it bids, and by how much more or less, as the API takes it. */
  bidding?: Pick<z.input<typeof AdsetInput>, 'hours' | 'hours_zone' | 'bid_multipliers' | 'countries'>;
  target: {
    name: string;
    countries: readonly string[];
    deviceTypes?: readonly ('Phone' | 'Tablet')[];
    connections?: readonly 'WiFi'[];
    genres?: readonly string[];
    osVersionMin?: string;
    /** Codes of regions and names of carriers that it leaves out. */
    regionsExcluded?: string[];
    carriersExcluded?: string[];
  };
}
