// Written by packages/client/generator/main.ts from the contract. Do not edit.

export type Adset = {
  uuid: string;
  name: string;
  description: string;
  status: 'Active' | 'Paused';
  campaign: { uuid: string; name: string } | null;
  target: { uuid: string; name: string; app: AppSummary };
  tracking_link: { uuid: string; name: string };
  creative_groups: { uuid: string; name: string }[];
  black_list_bundles: string[];
  white_list_bundles: string[];
  bundle_bids: Record<string, number>;
  algo: 'Manual CPM' | 'Target CPI' | 'Max installs' | 'Target CPA' | 'Target ROAS';
  bet_cpm: number;
  bet_cpi: number | null;
  goal_event: string | null;
  cpa: number | null;
  roas: number | null;
  goal_window: 0 | 7;
  goals_by_country: { country: string; value: number }[];
  product_page_id: string | null;
  overlay: {
    delay: number | null;
    end_card_delay: number | null;
    dismissible: boolean;
    position: 'bottom' | 'raised';
  } | null;
  daily_budget_const: number | null;
  all_budget_const: number | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
};
export type App = {
  uuid: string;
  name: string;
  description: string;
  os: 'android' | 'ios';
  store_link: string;
  bundle_id: string;
  size_in_kb: number | null;
  mobile_measurement_partner:
    'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
  iab_category: string;
  rating: number | null;
  icon_link: string | null;
  advertiser_domain: string | null;
  status: 'Moderation' | 'Approved' | 'Rejected';
  rejection_reason: string | null;
  approved_version: {
    name: string;
    os: 'android' | 'ios';
    store_link: string;
    bundle_id: string;
    icon_link: string | null;
  } | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
};
export type AppSummary = {
  uuid: string;
  name: string;
  os: 'android' | 'ios';
  icon_link: string | null;
  store_link: string;
  bundle_id: string;
  mobile_measurement_partner:
    'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
};
export type Balance = { balance: number; currency: 'USD'; spent_today: number; credit_limit: number };
export type BundleReport = {
  rows: {
    bundle: string;
    name: string;
    clicks?: number;
    installs?: number;
    impressions?: number;
    spends?: number;
    ctr?: number | null;
    cpm?: number | null;
    cpi?: number | null;
    win_rate?: number | null;
    install_rate?: number | null;
    ipm?: number | null;
    invalid_clicks?: number;
    invalid_installs?: number;
    app_events?: number;
    cost_per_app_event?: number | null;
    payers?: number | null;
    payer_rate?: number | null;
    revenue?: number | null;
    arpu?: number | null;
    arppu?: number | null;
    roas?: number | null;
    unknown_amounts?: number;
    named_events?: { name: string; count: number; people: number | null; cost_per_event: number | null }[];
  }[];
  total: {
    clicks?: number;
    installs?: number;
    impressions?: number;
    spends?: number;
    ctr?: number | null;
    cpm?: number | null;
    cpi?: number | null;
    win_rate?: number | null;
    install_rate?: number | null;
    ipm?: number | null;
    invalid_clicks?: number;
    invalid_installs?: number;
    app_events?: number;
    cost_per_app_event?: number | null;
    payers?: number | null;
    payer_rate?: number | null;
    revenue?: number | null;
    arpu?: number | null;
    arppu?: number | null;
    roas?: number | null;
    unknown_amounts?: number;
    named_events?: { name: string; count: number; people: number | null; cost_per_event: number | null }[];
  };
  event_labels?: { name: string; label: string | null }[];
};
export type Campaign = {
  uuid: string;
  name: string;
  description: string;
  app_uuid: string;
  app: AppSummary;
  start_date: string | null;
  end_date: string | null;
  status: 'Active' | 'Paused';
  start_when_approved: boolean;
  adsets: { uuid: string; name: string; status: 'Active' | 'Paused' }[];
  in_review: { app: boolean; creatives: number; tracking_links: number };
  created_at: string;
  updated_at: string;
  archived_at: string | null;
};
export type ChangeList = {
  changes: {
    uuid: string;
    entity_type:
      | 'app'
      | 'creative'
      | 'creative_group'
      | 'target'
      | 'tracking_link'
      | 'adset'
      | 'campaign'
      | 'user'
      | 'company'
      | 'api_token'
      | 'alert_channel'
      | 'alert_rule'
      | 'report_schedule'
      | 'report_destination';
    entity_uuid: string;
    entity_name: string;
    action: 'create' | 'update' | 'delete' | 'start' | 'pause' | 'decide' | 'archive' | 'restore' | 'view';
    author: string;
    fields: {
      field: string;
      before: unknown;
      after: unknown;
      entries?: { added: number; removed: number; unchanged: number };
    }[];
    fields_left_out?: boolean;
    created_at: string;
    can_undo: boolean;
  }[];
  total: number;
};
export type Creative = {
  uuid: string;
  status: 'Moderation' | 'Approved' | 'Rejected';
  rejection_reason: string | null;
  approved_version: {
    title: string;
    sponsor: string;
    description: string | null;
    click_url: string | null;
    view_url: string | null;
    banner_id: string | null;
  } | null;
  app: AppSummary;
  click_url: string | null;
  view_url: string | null;
  labels: string[];
  created_at: string;
  updated_at: string;
  archived_at: string | null;
  internal_creative: {
    uuid: string;
    name: string;
    type: 'Banner' | 'Video' | 'Playable' | 'Native';
    description: string;
    sponsor: string;
    title: string;
    html: string | null;
    width: number | null;
    height: number | null;
    duration_ms: number | null;
    banner_id: string | null;
    video_id: string | null;
    banner_extension: string | null;
    video_extension: string | null;
    banner: { uuid: string; url: string; size_bytes: number } | null;
    video: { uuid: string; url: string; size_bytes: number } | null;
    playable: { uuid: string; url: string; size_bytes: number } | null;
    thumbnail: string | null;
    external_loads: string[];
    exits: (
      | 'mraid.open'
      | 'mraid.openStoreUrl'
      | 'window.open'
      | 'link'
      | 'location'
      | 'ExitApi.exit'
      | 'FbPlayableAd.onCTAClick'
      | 'dapi.openStoreUrl'
      | 'window.install'
      | 'clickTag'
    )[];
  };
};
export type CreativeGroup = {
  uuid: string;
  name: string;
  description: string;
  status: 'Moderation' | 'Rejected' | 'Active' | 'Paused';
  banner_creatives: Creative[];
  video_creatives: Creative[];
  native_creatives: Creative[];
  playable_creatives: Creative[];
  native_title: string;
  native_description: string;
  native_sponsor: string;
  texts_status: 'Moderation' | 'Approved' | 'Rejected';
  rejection_reason: string | null;
  approved_version: { native_title: string; native_description: string; native_sponsor: string } | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
};
export type LevelReport = {
  rows: LevelRow[];
  total: {
    clicks?: number;
    installs?: number;
    impressions?: number;
    spends?: number;
    ctr?: number | null;
    cpm?: number | null;
    cpi?: number | null;
    win_rate?: number | null;
    install_rate?: number | null;
    ipm?: number | null;
    invalid_clicks?: number;
    invalid_installs?: number;
    app_events?: number;
    cost_per_app_event?: number | null;
    payers?: number | null;
    payer_rate?: number | null;
    revenue?: number | null;
    arpu?: number | null;
    arppu?: number | null;
    roas?: number | null;
    unknown_amounts?: number;
    named_events?: { name: string; count: number; people: number | null; cost_per_event: number | null }[];
    previous?: {
      clicks?: number;
      installs?: number;
      impressions?: number;
      spends?: number;
      ctr?: number | null;
      cpm?: number | null;
      cpi?: number | null;
      win_rate?: number | null;
      install_rate?: number | null;
      ipm?: number | null;
      invalid_clicks?: number;
      invalid_installs?: number;
      app_events?: number;
      cost_per_app_event?: number | null;
      payers?: number | null;
      payer_rate?: number | null;
      revenue?: number | null;
      arpu?: number | null;
      arppu?: number | null;
      roas?: number | null;
      unknown_amounts?: number;
      named_events?: { name: string; count: number; people: number | null; cost_per_event: number | null }[];
    };
  };
  event_labels?: { name: string; label: string | null }[];
  rows_total?: number;
};
export type LevelRow = {
  level:
    | 'campaign'
    | 'adset'
    | 'app'
    | 'bundle'
    | 'os'
    | 'country'
    | 'creative'
    | 'creative_group'
    | 'creative_width'
    | 'creative_height'
    | 'creative_duration'
    | 'exchange'
    | 'creative_type'
    | 'format'
    | 'hour'
    | 'day'
    | 'week'
    | 'month'
    | 'year';
  value: string;
  name: string;
  clicks?: number;
  installs?: number;
  impressions?: number;
  spends?: number;
  ctr?: number | null;
  cpm?: number | null;
  cpi?: number | null;
  win_rate?: number | null;
  install_rate?: number | null;
  ipm?: number | null;
  invalid_clicks?: number;
  invalid_installs?: number;
  app_events?: number;
  cost_per_app_event?: number | null;
  payers?: number | null;
  payer_rate?: number | null;
  revenue?: number | null;
  arpu?: number | null;
  arppu?: number | null;
  roas?: number | null;
  unknown_amounts?: number;
  named_events?: { name: string; count: number; people: number | null; cost_per_event: number | null }[];
  previous?: {
    clicks?: number;
    installs?: number;
    impressions?: number;
    spends?: number;
    ctr?: number | null;
    cpm?: number | null;
    cpi?: number | null;
    win_rate?: number | null;
    install_rate?: number | null;
    ipm?: number | null;
    invalid_clicks?: number;
    invalid_installs?: number;
    app_events?: number;
    cost_per_app_event?: number | null;
    payers?: number | null;
    payer_rate?: number | null;
    revenue?: number | null;
    arpu?: number | null;
    arppu?: number | null;
    roas?: number | null;
    unknown_amounts?: number;
    named_events?: { name: string; count: number; people: number | null; cost_per_event: number | null }[];
  };
  children: LevelRow[];
};
export type Notification = {
  uuid: string;
  kind: string;
  title: string;
  text: string;
  severity: 'critical' | 'warning' | 'info';
  entity_type: string | null;
  entity_uuid: string | null;
  is_own: boolean;
  read: boolean;
  created_at: string;
};
export type Target = {
  uuid: string;
  name: string;
  description: string;
  app: AppSummary;
  device_connection_types: string[];
  device_max_os_version: string | null;
  device_min_os_version: string | null;
  device_models: string[];
  device_os: string[];
  device_types: string[];
  exchange_include: string[];
  exchange_exclude: string[];
  genre_include: string[];
  genre_exclude: string[];
  language_include: string[];
  language_exclude: string[];
  location_include: string[];
  location_exclude: string[];
  created_at: string;
  updated_at: string;
  archived_at: string | null;
};
export type TrackingLink = {
  uuid: string;
  name: string;
  description: string;
  app: AppSummary;
  app_id: string;
  click_url: string;
  view_url: string;
  status: 'Moderation' | 'Approved' | 'Rejected';
  rejection_reason: string | null;
  approved_version: { click_url: string } | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
};
export type Transaction = {
  uuid: string;
  kind: 'top_up' | 'credit' | 'debit' | 'spend';
  status: 'success' | 'pending' | 'declined';
  amount: number;
  description: string;
  created_at: string;
  updated_at: string;
  folded?: { date: string; is_month: boolean; campaigns: number; hours: number };
};
export type TransactionList = { transactions: Transaction[]; total: number };
export type User = {
  uuid: string;
  login: string;
  email: string;
  first_name: string;
  last_name: string;
  contact: string;
  avatar: string | null;
  company: { uuid: string; name: string; time_zone: string; second_factor_required: boolean };
  role: 'owner' | 'editor' | 'analyst' | 'finance';
  needs_second_factor: boolean;
  signed_in_by_sso: boolean;
  needs_email_confirmation: boolean;
  moderation: 'manual' | 'auto';
  created_at: string;
};

/** What each call takes and answers. */
export interface Calls {
  /** Archive an ad set. POST /adset/:uuid/archive; scope campaigns. */
  archiveAdset: { params: { uuid: string }; data: Adset };
  /** Archive an app. POST /app/:uuid/archive; scope campaigns. */
  archiveApp: { params: { uuid: string }; data: App };
  /** Archive a campaign. POST /campaign/:uuid/archive; scope campaigns. */
  archiveCampaign: { params: { uuid: string }; data: Campaign };
  /** Archive a creative. POST /creative/:uuid/archive; scope creatives. */
  archiveCreative: { params: { uuid: string }; data: Creative };
  /** Archive a creative group. POST /creative_group/:uuid/archive; scope creatives. */
  archiveCreativeGroup: { params: { uuid: string }; data: CreativeGroup };
  /** Archive a creative. POST /internal_creative/:uuid/archive; scope creatives. */
  archiveInternalCreative: { params: { uuid: string }; data: Creative };
  /** Archive a creative group. POST /internal_creative_group/:uuid/archive; scope creatives. */
  archiveInternalCreativeGroup: { params: { uuid: string }; data: CreativeGroup };
  /** Archive a target. POST /target/:uuid/archive; scope campaigns. */
  archiveTarget: { params: { uuid: string }; data: Target };
  /** Archive a tracking link. POST /tracking_link/:uuid/archive; scope campaigns. */
  archiveTrackingLink: { params: { uuid: string }; data: TrackingLink };
  /** Change what invoices say of the company. PUT /finance/billing_details; scope finance. */
  changeBillingDetails: {
    body: {
      /** At most 200 characters. An emoji is one. */
      legal_name: string;
      address: string;
      country: string;
      tax_id: string;
      email: string | null;
      currency: string | null;
    };
    data: {
      billing_details: {
        /** At most 200 characters. An emoji is one. */
        legal_name: string;
        address: string;
        country: string;
        tax_id: string;
        email: string | null;
        currency: string | null;
      } | null;
      needs_email_confirmation: boolean;
    };
  };
  /** Block or unblock a publisher's app in ad sets of a campaign, or set their bid there. PUT /campaign/:uuid/bundle; scope campaigns. */
  changeBundle: {
    params: { uuid: string };
    body: { bundle: string; adsets: { uuid: string; blocked?: boolean; bid_cpm?: number | null }[] };
    data: { adsets: Adset[] };
  };
  /** Follow the redirects of a click URL as a device would; the measurement partner may record a click. POST /tracking_link/check; scope campaigns. */
  checkTrackingLink: {
    body: { app_id: string; click_url: string };
    data: {
      hops: {
        url: string;
        host: string;
        status: number | null;
        ms: number | null;
        has_click_id: boolean | null;
        kind: 'partner' | 'store' | 'other';
      }[];
      findings: { level: 'error' | 'warning'; text: string }[];
    };
  };
  /** Compare installs by postbacks with those of measurement partners, by ad set and day of arrival. GET /analytics/skadnetwork/comparison; scope reports or read. */
  comparePostbacks: {
    query: { start_date: string; end_date: string; app_uuid?: string };
    data: {
      rows: {
        day: string;
        adset: { uuid: string; name: string } | null;
        partner_installs: number | null;
        postback_installs: number;
      }[];
      total: { partner_installs: number; postback_installs: number };
    };
  };
  /** Create an ad set. POST /adset; scope campaigns. */
  createAdset: {
    body: {
      /** At most 50 characters. An emoji is one. */
      name: string;
      description?: string | null;
      target_id: string;
      tracking_link_id: string;
      creative_group_ids: string[];
      black_list_bundles?: string[] | null;
      white_list_bundles?: string[] | null;
      bundle_bids?: Record<string, number> | null;
      algo: 'Manual CPM' | 'Target CPI' | 'Max installs' | 'Target CPA' | 'Target ROAS';
      bet_cpm: number;
      bet_cpi?: number | null;
      goal_event?: string | null;
      cpa?: number | null;
      roas?: number | null;
      goal_window?: 0 | 7 | null;
      goals_by_country?: { country: string; value: number }[] | null;
      product_page_id?: string | null;
      overlay?: {
        delay?: number | null;
        end_card_delay?: number | null;
        dismissible?: boolean | null;
        position?: 'bottom' | 'raised' | null;
      } | null;
      daily_budget_const?: number | null;
      all_budget_const?: number | null;
      status?: 'Active' | 'Paused';
    };
    data: Adset;
  };
  /** Add a channel; the response alone has the secret that signs the messages of a webhook. POST /alerts/channels; scope settings. */
  createAlertChannel: {
    body:
      | {
          type: 'webhook';

          /** At most 50 characters. An emoji is one. */
          name: string;
          url: string;
          kinds: (
            'balance' | 'rule' | 'spend' | 'anomaly' | 'postbacks' | 'review' | 'delivery' | 'account'
          )[];
        }
      | {
          type: 'slack';

          /** At most 50 characters. An emoji is one. */
          name: string;
          url: string;
          kinds: (
            'balance' | 'rule' | 'spend' | 'anomaly' | 'postbacks' | 'review' | 'delivery' | 'account'
          )[];
        }
      | {
          type: 'telegram';

          /** At most 50 characters. An emoji is one. */
          name: string;
          bot_token: string;
          chat_id: string;
          kinds: (
            'balance' | 'rule' | 'spend' | 'anomaly' | 'postbacks' | 'review' | 'delivery' | 'account'
          )[];
        };
    data: {
      uuid: string;
      type: 'webhook' | 'slack' | 'telegram';
      name: string;
      target: string;
      kinds: ('balance' | 'rule' | 'spend' | 'anomaly' | 'postbacks' | 'review' | 'delivery' | 'account')[];
      is_enabled: boolean;
      failing_since: string | null;
      is_given_up: boolean;
      delivered_at: string | null;
      created_at: string;
      signing_secret: string | null;
    };
  };
  /** Add a rule: a figure, and when it is worth an alert. POST /alerts/rules; scope settings. */
  createAlertRule: {
    body: {
      metric:
        | 'spend'
        | 'spend_of_plan'
        | 'cpi'
        | 'cpm'
        | 'impressions'
        | 'clicks'
        | 'installs'
        | 'ctr'
        | 'install_rate'
        | 'ipm'
        | 'win_rate'
        | 'invalid_clicks'
        | 'revenue'
        | 'roas'
        | 'payer_rate'
        | 'roas_d0'
        | 'roas_d1'
        | 'roas_d3'
        | 'roas_d7'
        | 'roas_d14'
        | 'roas_d30'
        | 'retention_d1'
        | 'retention_d7';
      scope: 'company' | 'app' | 'campaign' | 'adset';
      scope_uuid: string | null;
      days: number;
      direction: 'above' | 'below';
      threshold: number;
      minimum: { of: 'spend' | 'impressions' | 'clicks' | 'installs'; value: number } | null;
      hour: number | null;
      is_enabled?: boolean;
    };
    data: {
      uuid: string;
      metric:
        | 'spend'
        | 'spend_of_plan'
        | 'cpi'
        | 'cpm'
        | 'impressions'
        | 'clicks'
        | 'installs'
        | 'ctr'
        | 'install_rate'
        | 'ipm'
        | 'win_rate'
        | 'invalid_clicks'
        | 'revenue'
        | 'roas'
        | 'payer_rate'
        | 'roas_d0'
        | 'roas_d1'
        | 'roas_d3'
        | 'roas_d7'
        | 'roas_d14'
        | 'roas_d30'
        | 'retention_d1'
        | 'retention_d7';
      scope: 'company' | 'app' | 'campaign' | 'adset';
      scope_uuid: string | null;
      scope_name: string | null;
      days: number;
      direction: 'above' | 'below';
      threshold: number;
      minimum: { of: 'spend' | 'impressions' | 'clicks' | 'installs'; value: number } | null;
      hour: number | null;
      is_enabled: boolean;
      state: 'unchecked' | 'not_met' | 'met' | 'too_little' | 'unknown' | 'failed';
      value: number | null;
      volume: number | null;
      from_date: string | null;
      to_date: string | null;
      checked_at: string | null;
      met_since: string | null;
      next_check_at: string | null;
      created_at: string;
    };
  };
  /** Register an app. POST /app; scope campaigns. */
  createApp: {
    body: {
      /** At most 50 characters. An emoji is one. */
      name: string;
      description?: string | null;
      os?: 'android' | 'ios' | null;
      store_link: string;
      bundle_id: string;
      size_in_kb?: number | null;
      mobile_measurement_partner:
        'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
      iab_category: string;
      rating?: number | null;
      icon_link?: string | null;
      advertiser_domain?: string | null;
    };
    data: App;
  };
  /** Create a campaign. POST /campaign; scope campaigns. */
  createCampaign: {
    body: {
      /** At most 50 characters. An emoji is one. */
      name: string;
      description?: string | null;
      app_uuid: string;
      start_date?: string | null;
      end_date?: string | null;

      /** Whether a paused campaign starts by itself once everything in it is reviewed. A start, a pause and an attempt that fails set it to false. */
      start_when_approved?: boolean | null;
      adset_uuids?: string[] | null;
      draft?: { uuid: string; version: number } | null;
    };
    data: Campaign;
  };
  /** Give a creative its addresses. POST /creative; scope creatives. */
  createCreative: {
    body: {
      internal_creative_uuid: string;
      click_url: string;
      view_url: string;

      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
    };
    data: Creative;
  };
  /** Create a creative group. POST /internal_creative_group; scope creatives. */
  createCreativeGroup: {
    body: {
      /** At most 50 characters. An emoji is one. */
      name: string;
      description?: string | null;
      banner_creatives?: (string | { uuid: string })[] | null;
      video_creatives?: (string | { uuid: string })[] | null;
      native_creatives?: (string | { uuid: string })[] | null;
      playable_creatives?: (string | { uuid: string })[] | null;
      native_title?: string | null;
      native_description?: string | null;
      native_sponsor?: string | null;
    };
    data: CreativeGroup;
  };
  /** Create a creative group. POST /creative_group; scope creatives. */
  createCreativeGroupAlias: {
    body: {
      /** At most 50 characters. An emoji is one. */
      name: string;
      description?: string | null;
      banner_creatives?: (string | { uuid: string })[] | null;
      video_creatives?: (string | { uuid: string })[] | null;
      native_creatives?: (string | { uuid: string })[] | null;
      playable_creatives?: (string | { uuid: string })[] | null;
      native_title?: string | null;
      native_description?: string | null;
      native_sponsor?: string | null;
    };
    data: CreativeGroup;
  };
  /** Store the draft of a campaign, which may be incomplete. POST /campaign_draft; scope campaigns. */
  createDraft: {
    body: {
      /** The values of the form, at most 64 KiB of JSON. Nothing of them is checked. */
      values: Record<string, unknown>;
    };
    data: {
      uuid: string;
      name: string;
      version: number;
      created_by: string;
      updated_by: string;
      created_at: string;
      updated_at: string;
    };
  };
  /** Schedule a report for people of the company. POST /report-schedules; scope settings. */
  createReportSchedule: {
    body: {
      /** At most 50 characters. An emoji is one. */
      name: string;
      report: {
        metrics?:
          | (
              | 'spends'
              | 'clicks'
              | 'installs'
              | 'impressions'
              | 'ctr'
              | 'cpm'
              | 'cpi'
              | 'win_rate'
              | 'install_rate'
              | 'ipm'
              | 'invalid_clicks'
              | 'invalid_installs'
              | 'app_events'
              | 'cost_per_app_event'
              | 'payers'
              | 'payer_rate'
              | 'revenue'
              | 'arpu'
              | 'arppu'
              | 'roas'
              | 'unknown_amounts'
            )[]
          | null;
        event_names?: string[] | null;
        levels: Record<string, string>;
        filters?: Record<string, string> | null;
      };
      format: 'mail' | 'csv' | 'parquet';
      frequency: 'daily' | 'weekly' | 'monthly';
      weekday: number | null;
      hour: number;
      user_uuids: string[];
      destination_uuids?: string[];
      is_enabled: boolean;
    };
    data: {
      uuid: string;
      name: string;
      report: {
        metrics?:
          | (
              | 'spends'
              | 'clicks'
              | 'installs'
              | 'impressions'
              | 'ctr'
              | 'cpm'
              | 'cpi'
              | 'win_rate'
              | 'install_rate'
              | 'ipm'
              | 'invalid_clicks'
              | 'invalid_installs'
              | 'app_events'
              | 'cost_per_app_event'
              | 'payers'
              | 'payer_rate'
              | 'revenue'
              | 'arpu'
              | 'arppu'
              | 'roas'
              | 'unknown_amounts'
            )[]
          | null;
        event_names?: string[] | null;
        levels: Record<string, string>;
        filters?: Record<string, string> | null;
      };
      format: 'mail' | 'csv' | 'parquet';
      frequency: 'daily' | 'weekly' | 'monthly';
      weekday: number | null;
      hour: number;
      user_uuids: string[];
      unsubscribed_uuids: string[];
      destination_uuids: string[];
      is_enabled: boolean;
      next_at: string | null;
      last_run: {
        uuid: string;
        start_date: string;
        end_date: string;
        status: 'waiting' | 'sent' | 'failed';
        attempts: number;
        rows: number | null;
        mailed: number;
        deliveries: {
          destination_uuid: string;
          name: string;
          is_delivered: boolean;
          attempts: number;
          attempted_at: string;
          response_status: number | null;
          response_start: string | null;
          error: string | null;
        }[];
        error: string | null;
        created_at: string;
        finished_at: string | null;
      } | null;
      created_at: string;
    };
  };
  /** Create a target. POST /target; scope campaigns. */
  createTarget: {
    body: {
      app_id: string;

      /** At most 50 characters. An emoji is one. */
      name: string;
      description?: string | null;
      device_connection_types?: string[] | null;
      device_max_os_version?: string | null;
      device_min_os_version?: string | null;
      device_models?: string[] | null;
      device_os?: string[] | null;
      device_types?: string[] | null;
      exchange_include?: string[] | null;
      exchange_exclude?: string[] | null;
      genre_include?: string[] | null;
      genre_exclude?: string[] | null;
      language_include?: string[] | null;
      language_exclude?: string[] | null;
      location_include?: string[] | null;
      location_exclude?: string[] | null;
    };
    data: Target;
  };
  /** Create a tracking link. POST /tracking_link; scope campaigns. */
  createTrackingLink: {
    body: {
      app_id: string;

      /** At most 50 characters. An emoji is one. */
      name: string;
      description?: string | null;
      click_url: string;
      view_url: string;
    };
    data: TrackingLink;
  };
  /** Remove a channel with its deliveries. DELETE /alerts/channels/:uuid; scope settings. */
  deleteAlertChannel: { params: { uuid: string }; data: { deleted: true } };
  /** Remove a rule. DELETE /alerts/rules/:uuid; scope settings. */
  deleteAlertRule: { params: { uuid: string }; data: { deleted: true } };
  /** Delete apps, all or none. DELETE /app/batch; scope campaigns. */
  deleteApps: { body: { uuids: string[] }; data: { uuids: string[] } };
  /** Remove a scheduled report. DELETE /report-schedules/:uuid; scope settings. */
  deleteReportSchedule: { params: { uuid: string }; data: { deleted: true } };
  /** Discard a draft. DELETE /campaign_draft/:uuid; scope campaigns. */
  discardDraft: { params: { uuid: string }; data: { discarded: true } };
  /** Download an invoice or a credit note as PDF. GET /finance/invoices/:uuid/pdf; scope read or finance. */
  downloadInvoice: { params: { uuid: string }; data: Response };
  /** Duplicate an ad set. POST /adset/:uuid/duplicate; scope campaigns. */
  duplicateAdset: { params: { uuid: string }; data: Adset };
  /** Duplicate a campaign with its ad sets. POST /campaign/:uuid/duplicate; scope campaigns. */
  duplicateCampaign: { params: { uuid: string }; data: Campaign };
  /** Duplicate a target. POST /target/:uuid/duplicate; scope campaigns. */
  duplicateTarget: { params: { uuid: string }; data: Target };
  /** Export bids with their prices, outcomes and events as CSV or Parquet, the oldest first. GET /analytics/bids/export; scope reports or read. */
  exportBids: {
    query: {
      start_date: string;
      end_date: string;
      outcome?: 'won' | 'lost' | 'no_notice';
      campaign_uuid?: string;
      adset_uuid?: string;
      creative_uuid?: string;
      exchange?: string;
      country?: string;
      bundle?: string;
      cursor?: string;
      format?: 'csv' | 'parquet';
    };
    data: Response;
  };
  /** Export cohorts as CSV or Parquet, with a line for each row and day. POST /analytics/cohorts/export; scope reports or read. */
  exportCohorts: {
    body: {
      start_date: string;
      end_date: string;
      group?: 'day' | 'week' | 'month';
      by?:
        | 'campaign'
        | 'adset'
        | 'app'
        | 'bundle'
        | 'os'
        | 'country'
        | 'creative'
        | 'creative_group'
        | 'creative_width'
        | 'creative_height'
        | 'creative_duration'
        | 'exchange'
        | 'creative_type'
        | 'format'
        | null;
      filters?: Record<string, string> | null;
      metrics?: ('revenue' | 'roas' | 'arpu' | 'payers' | 'payer_rate' | 'retention')[] | null;
      top?: number;
      format?: 'csv' | 'parquet';
    };
    data: Response;
  };
  /** Export every event of one day as CSV or Parquet. GET /analytics/events; scope reports or read. */
  exportEvents: { query: { date: string; format?: 'csv' | 'parquet' }; data: Response };
  /** Export a level report as CSV, however many rows it has. POST /analytics/export; scope reports or read. */
  exportReport: {
    body: {
      start_date: string;
      end_date: string;
      metrics?:
        | (
            | 'spends'
            | 'clicks'
            | 'installs'
            | 'impressions'
            | 'ctr'
            | 'cpm'
            | 'cpi'
            | 'win_rate'
            | 'install_rate'
            | 'ipm'
            | 'invalid_clicks'
            | 'invalid_installs'
            | 'app_events'
            | 'cost_per_app_event'
            | 'payers'
            | 'payer_rate'
            | 'revenue'
            | 'arpu'
            | 'arppu'
            | 'roas'
            | 'unknown_amounts'
          )[]
        | null;
      event_names?: string[] | null;
      levels: Record<string, string>;
      filters?: Record<string, string> | null;
    };
    data: Response;
  };
  /** Forecast what an ad set would get a day, without saving it. POST /adset/forecast; scope reports or read. */
  forecastAdset: {
    body: {
      target_id: string;
      creative_group_ids: string[];
      black_list_bundles?: string[] | null;
      white_list_bundles?: string[] | null;
      bundle_bids?: Record<string, number> | null;
      algo: 'Manual CPM' | 'Target CPI' | 'Max installs' | 'Target CPA' | 'Target ROAS';
      bet_cpm: number;
      bet_cpi?: number | null;
      goal_event?: string | null;
      cpa?: number | null;
      roas?: number | null;
      goal_window?: 0 | 7 | null;
      goals_by_country?: { country: string; value: number }[] | null;
      daily_budget_const?: number | null;
      all_budget_const?: number | null;
      uuid?: string | null;
    };
    data: {
      message: string | null;
      day: {
        impressions: { about: number; low: number; high: number };
        spend: { about: number; low: number; high: number };
        installs: { about: number; low: number; high: number };
        matching: { about: number; low: number; high: number };
        cpm: { about: number; low: number; high: number } | null;
        win_share: number;
        limited_by: 'daily_budget' | 'total_budget' | 'balance' | null;
        nothing_because:
          | 'daily_budget'
          | 'total_budget'
          | 'balance'
          | 'unmatched'
          | 'floor'
          | 'own_adsets'
          | 'outbid'
          | null;
      } | null;
      curve: {
        price: 'bet_cpm' | 'bet_cpi';
        present: number;
        points: { bid: number; win_share: number; impressions: number; spend: number }[];
      } | null;
      what_if: {
        date: string;
        actual: { impressions: number; spend: number; installs: number };
        changed: {
          impressions: { about: number; low: number; high: number };
          spend: { about: number; low: number; high: number };
          installs: { about: number; low: number; high: number };
        };
      } | null;
      sampled_requests: number;
      bids: number;
      value: {
        install_price: number;
        per_install: number;
        source: 'learned' | 'assumed';
        conversions: number;
        revenue_sources: ('purchases' | 'ad_revenue')[];
        needed: number;
        expected_error_percent: number | null;
      } | null;
      record: { compared: number; inside: number; median_error_percent: number; widened_by: number } | null;
    };
  };
  /** List ad sets with the numbers of their bundles in place of the lists. GET /adset/summary; scope read or campaigns. */
  listAdsetSummaries: {
    data: {
      adsets: {
        uuid: string;
        name: string;
        description: string;
        status: 'Active' | 'Paused';
        campaign: { uuid: string; name: string } | null;
        target: { uuid: string; name: string; app: AppSummary };
        tracking_link: { uuid: string; name: string };
        creative_groups: { uuid: string; name: string }[];
        algo: 'Manual CPM' | 'Target CPI' | 'Max installs' | 'Target CPA' | 'Target ROAS';
        bet_cpm: number;
        bet_cpi: number | null;
        goal_event: string | null;
        cpa: number | null;
        roas: number | null;
        goal_window: 0 | 7;
        goals_by_country: { country: string; value: number }[];
        product_page_id: string | null;
        overlay: {
          delay: number | null;
          end_card_delay: number | null;
          dismissible: boolean;
          position: 'bottom' | 'raised';
        } | null;
        daily_budget_const: number | null;
        all_budget_const: number | null;
        created_at: string;
        updated_at: string;
        archived_at: string | null;
        bundle_counts: { black_list: number; white_list: number; bids: number };
      }[];
    };
  };
  /** List ad sets. GET /adset; scope read or campaigns. */
  listAdsets: { query?: { campaign_id?: string }; data: { adsets: Adset[] } };
  /** List the channels to which the company sends alerts. GET /alerts/channels; scope read or settings. */
  listAlertChannels: {
    data: {
      channels: {
        uuid: string;
        type: 'webhook' | 'slack' | 'telegram';
        name: string;
        target: string;
        kinds: ('balance' | 'rule' | 'spend' | 'anomaly' | 'postbacks' | 'review' | 'delivery' | 'account')[];
        is_enabled: boolean;
        failing_since: string | null;
        is_given_up: boolean;
        delivered_at: string | null;
        created_at: string;
      }[];
    };
  };
  /** List the latest deliveries to a channel, newest first. GET /alerts/channels/:uuid/deliveries; scope read or settings. */
  listAlertDeliveries: {
    params: { uuid: string };
    data: {
      deliveries: {
        uuid: string;
        kind: string;
        title: string;
        status: 'waiting' | 'delivered' | 'failed';
        attempts: number;
        attempted_at: string | null;
        next_attempt_at: string | null;
        response_status: number | null;
        response_start: string | null;
        error: string | null;
        created_at: string;
      }[];
    };
  };
  /** List the rules by which figures alert the company, with what their last check said. GET /alerts/rules; scope read or settings. */
  listAlertRules: {
    data: {
      rules: {
        uuid: string;
        metric:
          | 'spend'
          | 'spend_of_plan'
          | 'cpi'
          | 'cpm'
          | 'impressions'
          | 'clicks'
          | 'installs'
          | 'ctr'
          | 'install_rate'
          | 'ipm'
          | 'win_rate'
          | 'invalid_clicks'
          | 'revenue'
          | 'roas'
          | 'payer_rate'
          | 'roas_d0'
          | 'roas_d1'
          | 'roas_d3'
          | 'roas_d7'
          | 'roas_d14'
          | 'roas_d30'
          | 'retention_d1'
          | 'retention_d7';
        scope: 'company' | 'app' | 'campaign' | 'adset';
        scope_uuid: string | null;
        scope_name: string | null;
        days: number;
        direction: 'above' | 'below';
        threshold: number;
        minimum: { of: 'spend' | 'impressions' | 'clicks' | 'installs'; value: number } | null;
        hour: number | null;
        is_enabled: boolean;
        state: 'unchecked' | 'not_met' | 'met' | 'too_little' | 'unknown' | 'failed';
        value: number | null;
        volume: number | null;
        from_date: string | null;
        to_date: string | null;
        checked_at: string | null;
        met_since: string | null;
        next_check_at: string | null;
        created_at: string;
      }[];
    };
  };
  /** List algorithms. GET /algorithms; scope read or campaigns or creatives or finance or settings. */
  listAlgorithms: { data: { algorithms: { value: string; name: string }[] } };
  /** List open requests for approval, and the latest that are not open any more. GET /approval; scope read or campaigns. */
  listApprovals: {
    data: {
      approvals: {
        uuid: string;
        campaign: { uuid: string; name: string };
        state: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'outdated';
        start: boolean;
        adsets: {
          uuid: string;
          name: string;
          is_changed: boolean;
          daily_budget_const: number | null;
          all_budget_const: number | null;
        }[];
        before: { daily_budget: number | null; total_budget: number | null };
        after: { daily_budget: number | null; total_budget: number | null };
        hash: string;
        note: string;
        requested_by: { uuid: string | null; name: string };
        decided_by: { uuid: string | null; name: string } | null;
        reason: string;
        created_at: string;
        expires_at: string;
        decided_at: string | null;
      }[];
    };
  };
  /** List apps. GET /app; scope read or campaigns or creatives. */
  listApps: { query?: { start_date?: string; end_date?: string }; data: { apps: App[] } };
  /** List banner resolutions by group. GET /banner; scope read or campaigns or creatives or finance or settings. */
  listBannerResolutions: {
    data: {
      default_banners: { width: number; height: number }[];
      medium_banners: { width: number; height: number }[];
      tablet_banners: { width: number; height: number }[];
      full_screen_banners: { width: number; height: number }[];
      native_banners: { width: number; height: number }[];
    };
  };
  /** List bids with their prices, outcomes and events, the newest first. GET /analytics/bids; scope reports or read. */
  listBids: {
    query: {
      start_date: string;
      end_date: string;
      outcome?: 'won' | 'lost' | 'no_notice';
      campaign_uuid?: string;
      adset_uuid?: string;
      creative_uuid?: string;
      exchange?: string;
      country?: string;
      bundle?: string;
      cursor?: string;
      limit?: number;
    };
    data: {
      bids: {
        bid_id: string;
        bid_at: string;
        event_at: string;
        campaign_uuid: string;
        campaign: string;
        adset_uuid: string;
        adset: string;
        creative_uuid: string;
        creative: string;
        creative_type: string;
        width: number;
        height: number;
        exchange: string;
        exchange_name: string;
        bundle: string;
        country: string;
        os: string;
        outcome: 'won' | 'lost' | 'no_notice';
        bid_cpm: number | null;
        charge: number;
        loss_code: number | null;
        loss_reason: string | null;
        min_to_win_cpm: number | null;
        impression_at: string | null;
        clicks: number;
        installs: number;
        app_events: { name: string; count: number; revenue: number | null }[];
        invalid: string;
        test: boolean;
        weight: number;
      }[];
      next: string | null;
    };
  };
  /** List the comments on a campaign, the oldest first. GET /campaign/:uuid/comment; scope read or campaigns. */
  listCampaignComments: {
    params: { uuid: string };
    data: {
      comments: {
        uuid: string;
        text: string;
        author: { uuid: string | null; name: string };
        mentions: { uuid: string; name: string }[];
        created_at: string;
        edited_at: string | null;
        changeable_until: string | null;
      }[];
    };
  };
  /** List campaigns. GET /campaign; scope read or campaigns. */
  listCampaigns: { query?: { start_date?: string; end_date?: string }; data: { campaigns: Campaign[] } };
  /** Read the change log. GET /company/:uid/changes; scope read. */
  listChanges: { params: { uid: string }; query?: { page?: number; limit?: number }; data: ChangeList };
  /** List the companies of the caller with their spend, balance, campaigns and warnings. GET /companies/summary; scope read. */
  listCompanySummaries: {
    data: {
      companies: {
        uuid: string;
        name: string;
        role: 'owner' | 'editor' | 'analyst' | 'finance';
        is_current: boolean;
        is_suspended: boolean;
        requires: 'single_sign_on' | 'second_factor' | null;
        spend_today: number | null;
        spend_7_days: number | null;
        balance: number | null;
        active_campaigns: number | null;
        unread_warnings: number | null;
        is_incomplete: boolean;
      }[];
    };
  };
  /** List connection types. GET /connection_types; scope read or campaigns or creatives or finance or settings. */
  listConnectionTypes: { data: { connection_types: { value: string; name: string }[] } };
  /** List what keeps each creative from being shown. GET /findings/creatives; scope reports or read. */
  listCreativeFindings: {
    query: { start_date: string; end_date: string };
    data: {
      creatives: {
        code:
          | 'creative_rejected'
          | 'creative_in_review'
          | 'no_group'
          | 'group_archived'
          | 'group_paused'
          | 'no_adset'
          | 'adsets_not_running'
          | 'adset_not_bidding'
          | 'texts_missing'
          | 'no_requests'
          | 'no_placement'
          | 'not_shown'
          | 'adset_not_shown'
          | 'others_shown'
          | 'shown';
        severity: 'blocked' | 'limited' | 'fine';
        text: string;
        remedy: {
          label: string;
          screen:
            | 'campaign'
            | 'adset'
            | 'target'
            | 'creatives'
            | 'creative_group'
            | 'delivery'
            | 'tracking_link'
            | 'app'
            | 'finances'
            | 'postbacks'
            | 'measurement';
          uuid: string | null;
          field: string | null;
          value: string | number | null;
        } | null;
        placement: {
          requests: number;
          fitting: number;
          exits: {
            exit:
              | 'not_in_app'
              | 'currency'
              | 'floor_unreadable'
              | 'seat_not_allowed'
              | 'campaign_not_running'
              | 'os'
              | 'country'
              | 'exchange'
              | 'device_type'
              | 'os_version'
              | 'device_model'
              | 'connection_type'
              | 'language'
              | 'genre'
              | 'bundle_black_listed'
              | 'bundle_not_white_listed'
              | 'own_app'
              | 'dsa_not_rendered'
              | 'private_auction'
              | 'not_secure'
              | 'no_matching_format'
              | 'blocked_ad_type'
              | 'blocked_attribute'
              | 'not_linear'
              | 'api_not_accepted'
              | 'protocol_not_accepted'
              | 'delivery_not_accepted'
              | 'no_matching_size'
              | 'mime_not_accepted'
              | 'video_duration'
              | 'video_bitrate'
              | 'video_orientation'
              | 'native_assets'
              | 'rewarded'
              | 'blocked_app'
              | 'blocked_advertiser'
              | 'blocked_category'
              | 'category_not_allowed'
              | 'creative_language'
              | 'insecure_address'
              | 'dsa_unknown'
              | 'overloaded'
              | 'no_lease'
              | 'pacing'
              | 'daily_budget'
              | 'total_budget'
              | 'balance'
              | 'floor'
              | 'outbid'
              | 'timeout'
              | 'answer_too_long'
              | 'markup_failed';
            requests: number;
          }[];
        } | null;
        uuid: string;
        adsets: {
          code:
            | 'creative_rejected'
            | 'creative_in_review'
            | 'no_group'
            | 'group_archived'
            | 'group_paused'
            | 'no_adset'
            | 'adsets_not_running'
            | 'adset_not_bidding'
            | 'texts_missing'
            | 'no_requests'
            | 'no_placement'
            | 'not_shown'
            | 'adset_not_shown'
            | 'others_shown'
            | 'shown';
          severity: 'blocked' | 'limited' | 'fine';
          text: string;
          remedy: {
            label: string;
            screen:
              | 'campaign'
              | 'adset'
              | 'target'
              | 'creatives'
              | 'creative_group'
              | 'delivery'
              | 'tracking_link'
              | 'app'
              | 'finances'
              | 'postbacks'
              | 'measurement';
            uuid: string | null;
            field: string | null;
            value: string | number | null;
          } | null;
          placement: {
            requests: number;
            fitting: number;
            exits: {
              exit:
                | 'not_in_app'
                | 'currency'
                | 'floor_unreadable'
                | 'seat_not_allowed'
                | 'campaign_not_running'
                | 'os'
                | 'country'
                | 'exchange'
                | 'device_type'
                | 'os_version'
                | 'device_model'
                | 'connection_type'
                | 'language'
                | 'genre'
                | 'bundle_black_listed'
                | 'bundle_not_white_listed'
                | 'own_app'
                | 'dsa_not_rendered'
                | 'private_auction'
                | 'not_secure'
                | 'no_matching_format'
                | 'blocked_ad_type'
                | 'blocked_attribute'
                | 'not_linear'
                | 'api_not_accepted'
                | 'protocol_not_accepted'
                | 'delivery_not_accepted'
                | 'no_matching_size'
                | 'mime_not_accepted'
                | 'video_duration'
                | 'video_bitrate'
                | 'video_orientation'
                | 'native_assets'
                | 'rewarded'
                | 'blocked_app'
                | 'blocked_advertiser'
                | 'blocked_category'
                | 'category_not_allowed'
                | 'creative_language'
                | 'insecure_address'
                | 'dsa_unknown'
                | 'overloaded'
                | 'no_lease'
                | 'pacing'
                | 'daily_budget'
                | 'total_budget'
                | 'balance'
                | 'floor'
                | 'outbid'
                | 'timeout'
                | 'answer_too_long'
                | 'markup_failed';
              requests: number;
            }[];
          } | null;
          uuid: string;
          name: string;
        }[];
      }[];
    };
  };
  /** List creative groups. GET /internal_creative_group; scope read or campaigns or creatives. */
  listCreativeGroups: { data: { internal_creative_groups: CreativeGroup[] } };
  /** List creatives. GET /internal_creative; scope read or campaigns or creatives. */
  listCreatives: { data: { internal_creatives: Creative[] } };
  /** List device types. GET /device_types; scope read or campaigns or creatives or finance or settings. */
  listDeviceTypes: { data: { device_types: { value: string; name: string }[] } };
  /** List the comments on the draft of a campaign, the oldest first. GET /campaign_draft/:uuid/comment; scope read or campaigns. */
  listDraftComments: {
    params: { uuid: string };
    data: {
      comments: {
        uuid: string;
        text: string;
        author: { uuid: string | null; name: string };
        mentions: { uuid: string; name: string }[];
        created_at: string;
        edited_at: string | null;
        changeable_until: string | null;
      }[];
    };
  };
  /** List the drafts of campaigns, the one that was changed last first. GET /campaign_draft; scope read or campaigns. */
  listDrafts: {
    data: {
      drafts: {
        uuid: string;
        name: string;
        version: number;
        created_by: string;
        updated_by: string;
        created_at: string;
        updated_at: string;
      }[];
    };
  };
  /** List iab categories. GET /iab_categories; scope read or campaigns or creatives or finance or settings. */
  listIabCategories: { data: { iab_categories: { value: string; name: string }[] } };
  /** List invoices and credit notes, newest first. GET /finance/invoices; scope read or finance. */
  listInvoices: {
    query?: { page?: number; limit?: number };
    data: {
      invoices: {
        uuid: string;
        kind: 'invoice' | 'credit_note';
        number: string;
        month: string | null;
        issued_at: string;
        net: number;
        tax: number;
        total: number;
        corrects: string | null;
        credited: number;
      }[];
      total: number;
      last_month: string | null;
    };
  };
  /** List languages. GET /languages; scope read or campaigns or creatives or finance or settings. */
  listLanguages: { data: { languages: { value: string; name: string }[] } };
  /** List what limits each active campaign and ad set most. GET /findings; scope reports or read. */
  listMainFindings: {
    query: { start_date: string; end_date: string };
    data: {
      campaigns: {
        uuid: string;
        finding: {
          code:
            | 'suspended'
            | 'campaign_paused'
            | 'ended'
            | 'not_started'
            | 'app_in_review'
            | 'app_rejected'
            | 'balance'
            | 'bidding_stopped'
            | 'exchange_off'
            | 'no_adset'
            | 'adsets_paused'
            | 'no_creative'
            | 'creative_in_review'
            | 'creative_rejected'
            | 'tracking_link_in_review'
            | 'tracking_link_rejected'
            | 'price_missing'
            | 'total_budget_spent'
            | 'no_requests'
            | 'country'
            | 'exchange'
            | 'device_type'
            | 'os_version'
            | 'device_model'
            | 'connection_type'
            | 'language'
            | 'genre'
            | 'blocklist'
            | 'allowlist'
            | 'size_missing'
            | 'format_missing'
            | 'creative_refused'
            | 'insecure_address'
            | 'advertiser_blocked'
            | 'daily_budget'
            | 'pacing'
            | 'no_lease'
            | 'floor'
            | 'outbid_by_own'
            | 'outbid'
            | 'late'
            | 'win_price'
            | 'postbacks_refused'
            | 'postbacks_missing'
            | 'goal_missing'
            | 'budget_use'
            | 'source_identifiers_used_up'
            | 'signing_off'
            | 'signing_not_possible'
            | 'learning'
            | 'fine';
          severity: 'blocked' | 'limited' | 'advice' | 'fine';
          adset: { uuid: string; name: string } | null;
          text: string;
          lost: { value: number; error: number } | null;
          remedy: {
            label: string;
            screen:
              | 'campaign'
              | 'adset'
              | 'target'
              | 'creatives'
              | 'creative_group'
              | 'delivery'
              | 'tracking_link'
              | 'app'
              | 'finances'
              | 'postbacks'
              | 'measurement';
            uuid: string | null;
            field: string | null;
            value: string | number | null;
          } | null;
        };
        adsets: {
          uuid: string;
          finding: {
            code:
              | 'suspended'
              | 'campaign_paused'
              | 'ended'
              | 'not_started'
              | 'app_in_review'
              | 'app_rejected'
              | 'balance'
              | 'bidding_stopped'
              | 'exchange_off'
              | 'no_adset'
              | 'adsets_paused'
              | 'no_creative'
              | 'creative_in_review'
              | 'creative_rejected'
              | 'tracking_link_in_review'
              | 'tracking_link_rejected'
              | 'price_missing'
              | 'total_budget_spent'
              | 'no_requests'
              | 'country'
              | 'exchange'
              | 'device_type'
              | 'os_version'
              | 'device_model'
              | 'connection_type'
              | 'language'
              | 'genre'
              | 'blocklist'
              | 'allowlist'
              | 'size_missing'
              | 'format_missing'
              | 'creative_refused'
              | 'insecure_address'
              | 'advertiser_blocked'
              | 'daily_budget'
              | 'pacing'
              | 'no_lease'
              | 'floor'
              | 'outbid_by_own'
              | 'outbid'
              | 'late'
              | 'win_price'
              | 'postbacks_refused'
              | 'postbacks_missing'
              | 'goal_missing'
              | 'budget_use'
              | 'source_identifiers_used_up'
              | 'signing_off'
              | 'signing_not_possible'
              | 'learning'
              | 'fine';
            severity: 'blocked' | 'limited' | 'advice' | 'fine';
            adset: { uuid: string; name: string } | null;
            text: string;
            lost: { value: number; error: number } | null;
            remedy: {
              label: string;
              screen:
                | 'campaign'
                | 'adset'
                | 'target'
                | 'creatives'
                | 'creative_group'
                | 'delivery'
                | 'tracking_link'
                | 'app'
                | 'finances'
                | 'postbacks'
                | 'measurement';
              uuid: string | null;
              field: string | null;
              value: string | number | null;
            } | null;
          };
        }[];
      }[];
      learning: {
        event: string | null;
        revenue_sources: ('purchases' | 'ad_revenue')[];
        conversions: number;
        needed: number;
        expected_error_percent: number | null;
        uuid: string;
        campaign_uuid: string;
        text: string;
      }[];
    };
  };
  /** List notifications. GET /notifications; scope read or settings. */
  listNotifications: { data: Notification[] };
  /** List operating systems. GET /operating_systems; scope read or campaigns or creatives or finance or settings. */
  listOperatingSystems: {
    data: { operating_systems: { value: string; name: string; versions: string[] }[] };
  };
  /** List the companies to which the caller belongs. GET /companies; scope read. */
  listOwnCompanies: {
    data: {
      companies: {
        uuid: string;
        name: string;
        role: 'owner' | 'editor' | 'analyst' | 'finance';
        is_current: boolean;
        is_suspended: boolean;
      }[];
    };
  };
  /** List the people of the company and its open invitations. GET /people; scope read. */
  listPeople: {
    data: {
      people: {
        uuid: string;
        login: string;
        email: string;
        first_name: string;
        last_name: string;
        role: 'owner' | 'editor' | 'analyst' | 'finance';
        since: string;
      }[];
      invitations: {
        uuid: string;
        email: string;
        role: 'owner' | 'editor' | 'analyst' | 'finance';
        invited_by: string;
        created_at: string;
        expires_at: string;
      }[];
    };
  };
  /** List phone models. GET /phone_models; scope read or campaigns or creatives or finance or settings. */
  listPhoneModels: { data: { phone_models: { vendor: string; value: string; name: string }[] } };
  /** List what limits the active campaigns, what costs the most first. GET /findings/ranked; scope reports or read. */
  listRankedFindings: {
    query: { start_date: string; end_date: string };
    data: {
      findings: {
        code:
          | 'suspended'
          | 'campaign_paused'
          | 'ended'
          | 'not_started'
          | 'app_in_review'
          | 'app_rejected'
          | 'balance'
          | 'bidding_stopped'
          | 'exchange_off'
          | 'no_adset'
          | 'adsets_paused'
          | 'no_creative'
          | 'creative_in_review'
          | 'creative_rejected'
          | 'tracking_link_in_review'
          | 'tracking_link_rejected'
          | 'price_missing'
          | 'total_budget_spent'
          | 'no_requests'
          | 'country'
          | 'exchange'
          | 'device_type'
          | 'os_version'
          | 'device_model'
          | 'connection_type'
          | 'language'
          | 'genre'
          | 'blocklist'
          | 'allowlist'
          | 'size_missing'
          | 'format_missing'
          | 'creative_refused'
          | 'insecure_address'
          | 'advertiser_blocked'
          | 'daily_budget'
          | 'pacing'
          | 'no_lease'
          | 'floor'
          | 'outbid_by_own'
          | 'outbid'
          | 'late'
          | 'win_price'
          | 'postbacks_refused'
          | 'postbacks_missing'
          | 'goal_missing'
          | 'budget_use'
          | 'source_identifiers_used_up'
          | 'signing_off'
          | 'signing_not_possible'
          | 'learning'
          | 'fine';
        severity: 'blocked' | 'limited' | 'advice' | 'fine';
        adset: { uuid: string; name: string } | null;
        text: string;
        lost: { value: number; error: number } | null;
        remedy: {
          label: string;
          screen:
            | 'campaign'
            | 'adset'
            | 'target'
            | 'creatives'
            | 'creative_group'
            | 'delivery'
            | 'tracking_link'
            | 'app'
            | 'finances'
            | 'postbacks'
            | 'measurement';
          uuid: string | null;
          field: string | null;
          value: string | number | null;
        } | null;
        campaign: { uuid: string; name: string } | null;
      }[];
      total: number;
    };
  };
  /** List the webhooks and S3 buckets that scheduled reports may be sent to. GET /report-destinations; scope read or settings. */
  listReportDestinations: {
    data: {
      destinations: {
        uuid: string;
        type: 'webhook' | 's3';
        name: string;
        url: string;
        region: string | null;
        bucket: string | null;
        prefix: string | null;
        created_at: string;
      }[];
    };
  };
  /** List the latest reports of a schedule, newest first. GET /report-schedules/:uuid/runs; scope read or settings. */
  listReportRuns: {
    params: { uuid: string };
    data: {
      runs: {
        uuid: string;
        start_date: string;
        end_date: string;
        status: 'waiting' | 'sent' | 'failed';
        attempts: number;
        rows: number | null;
        mailed: number;
        deliveries: {
          destination_uuid: string;
          name: string;
          is_delivered: boolean;
          attempts: number;
          attempted_at: string;
          response_status: number | null;
          response_start: string | null;
          error: string | null;
        }[];
        error: string | null;
        created_at: string;
        finished_at: string | null;
      }[];
    };
  };
  /** List the reports that are sent again and again. GET /report-schedules; scope read or settings. */
  listReportSchedules: {
    data: {
      schedules: {
        uuid: string;
        name: string;
        report: {
          metrics?:
            | (
                | 'spends'
                | 'clicks'
                | 'installs'
                | 'impressions'
                | 'ctr'
                | 'cpm'
                | 'cpi'
                | 'win_rate'
                | 'install_rate'
                | 'ipm'
                | 'invalid_clicks'
                | 'invalid_installs'
                | 'app_events'
                | 'cost_per_app_event'
                | 'payers'
                | 'payer_rate'
                | 'revenue'
                | 'arpu'
                | 'arppu'
                | 'roas'
                | 'unknown_amounts'
              )[]
            | null;
          event_names?: string[] | null;
          levels: Record<string, string>;
          filters?: Record<string, string> | null;
        };
        format: 'mail' | 'csv' | 'parquet';
        frequency: 'daily' | 'weekly' | 'monthly';
        weekday: number | null;
        hour: number;
        user_uuids: string[];
        unsubscribed_uuids: string[];
        destination_uuids: string[];
        is_enabled: boolean;
        next_at: string | null;
        last_run: {
          uuid: string;
          start_date: string;
          end_date: string;
          status: 'waiting' | 'sent' | 'failed';
          attempts: number;
          rows: number | null;
          mailed: number;
          deliveries: {
            destination_uuid: string;
            name: string;
            is_delivered: boolean;
            attempts: number;
            attempted_at: string;
            response_status: number | null;
            response_start: string | null;
            error: string | null;
          }[];
          error: string | null;
          created_at: string;
          finished_at: string | null;
        } | null;
        created_at: string;
      }[];
      is_mailed: boolean;
    };
  };
  /** List the numbers by which postbacks of SKAdNetwork name the ad sets of an app. GET /app/:uuid/source_identifiers; scope read or campaigns or creatives. */
  listSourceIdentifiers: {
    params: { uuid: string };
    data: {
      enabled: boolean;
      has_network: boolean;
      item_id: number | null;
      source_identifiers: {
        item_id: number;
        number: number;
        digits: number;
        adset_uuid: string;
        adset: string | null;
        allocated_at: string;
        last_bid_at: string | null;
        released_at: string | null;
      }[];
      without_number: { uuid: string; name: string }[];
    };
  };
  /** List ssps. GET /ssps; scope read or campaigns or creatives or finance or settings. */
  listSsps: { data: { ssps: { value: string; name: string }[] } };
  /** List store genres. GET /store_genres; scope read or campaigns or creatives or finance or settings. */
  listStoreGenres: { data: { store_genres: { value: string; name: string }[] } };
  /** List sub regions. GET /sub_region; scope read or campaigns or creatives or finance or settings. */
  listSubRegions: {
    data: {
      sub_regions: { name: string; countries: { id: number; name: string; code: string; code2: string }[] }[];
    };
  };
  /** List targets. GET /target; scope read or campaigns. */
  listTargets: { query?: { start_date?: string; end_date?: string }; data: { targets: Target[] } };
  /** List tracking links. GET /tracking_link; scope read or campaigns. */
  listTrackingLinks: {
    query?: { start_date?: string; end_date?: string };
    data: { tracking_links: TrackingLink[] };
  };
  /** List transactions. GET /finance/transactions; scope read or finance. */
  listTransactions: {
    query?: { page?: number; limit?: number; status?: 'success' | 'pending' | 'declined'; fold?: 'day' };
    data: TransactionList;
  };
  /** Mark notifications as read. PATCH /notifications; scope settings. */
  markNotificationsRead: { body: { ids: string[] }; data: Notification[] };
  /** Read a store link. POST /app/parse; scope campaigns. */
  parseStoreLink: {
    body: { link: string };
    data: {
      os: 'android' | 'ios';
      bundle_id: string;
      store_link: string;
      name: string | null;
      icon_link: string | null;
      rating: number | null;
      size_in_kb: number | null;
      iab_category: string | null;
      description: string | null;
      advertiser_domain: string | null;
      missing: string[];
    };
  };
  /** Pause a campaign. POST /campaign/:uuid/pause; scope campaigns. */
  pauseCampaign: { params: { uuid: string }; data: Campaign };
  /** Read an ad set. GET /adset/:uuid; scope read or campaigns. */
  readAdset: { params: { uuid: string }; data: Adset };
  /** Read which alerts of the company the caller gets by mail, and when. GET /alerts/preferences; scope read. */
  readAlertPreferences: {
    data: {
      kinds: ('balance' | 'rule' | 'spend' | 'anomaly' | 'postbacks' | 'review' | 'delivery' | 'account')[];
      frequency: 'at_once' | 'hourly' | 'daily' | 'off';
      daily_hour: number;
      quiet_from: number | null;
      quiet_until: number | null;
      time_zone: string;
      email: string;
      is_mailed: boolean;
    };
  };
  /** Read when the company is alerted. GET /alerts/settings; scope read or settings. */
  readAlertSettings: { data: { balance_low: number | null } };
  /** Read an app. GET /app/:uuid; scope read or campaigns or creatives. */
  readApp: { params: { uuid: string }; data: App };
  /** List the in-app events of an app, and how they count. GET /app/:uuid/events; scope read or campaigns or creatives. */
  readAppEvents: {
    params: { uuid: string };
    data: {
      click_window_days: number;
      view_window_days: number;
      revenue_sources: ('purchases' | 'ad_revenue')[];
      events: {
        name: string;
        label: string | null;
        offered: boolean;
        payer: 'purchase' | 'always' | 'never';
        first_seen_at: string;
        last_seen_at: string | null;
      }[];
    };
  };
  /** Read above which budgets of a campaign a second person has to approve. GET /approval/limits; scope read or campaigns. */
  readApprovalLimits: {
    data: {
      /** Dollars; null for no limit. */
      daily_budget_above: number | null;

      /** Dollars; null for no limit. */
      total_budget_above: number | null;
      people: number;
    };
  };
  /** Read the balance. GET /finance/balance; scope read or finance. */
  readBalance: { data: Balance };
  /** Read what invoices say of the company. GET /finance/billing_details; scope read or finance. */
  readBillingDetails: {
    data: {
      billing_details: {
        /** At most 200 characters. An emoji is one. */
        legal_name: string;
        address: string;
        country: string;
        tax_id: string;
        email: string | null;
        currency: string | null;
      } | null;
      needs_email_confirmation: boolean;
    };
  };
  /** Read a campaign. GET /campaign/:uuid; scope read or campaigns. */
  readCampaign: { params: { uuid: string }; data: Campaign };
  /** Read on which publishers' apps a campaign spent. GET /campaign/:uuid/bundles; scope reports or read. */
  readCampaignBundles: {
    params: { uuid: string };
    query: { start_date: string; end_date: string };
    data: {
      rows: {
        bundle: string;
        clicks: number;
        installs: number;
        impressions: number;
        spends: number;
        ctr: number | null;
        cpm: number | null;
        cpi: number | null;
        win_rate?: number | null;
        install_rate?: number | null;
        ipm?: number | null;
        invalid_clicks?: number;
        invalid_installs?: number;
        app_events?: number;
        cost_per_app_event?: number | null;
        payers?: number | null;
        payer_rate?: number | null;
        revenue?: number | null;
        arpu?: number | null;
        arppu?: number | null;
        roas?: number | null;
        unknown_amounts?: number;
        named_events?: {
          name: string;
          count: number;
          people: number | null;
          cost_per_event: number | null;
        }[];
        name: string | null;
        publisher: string | null;
        store_link: string | null;
        icon_link: string | null;
        supply_chains: {
          exchange: string;
          chain: 'complete' | 'incomplete' | 'absent';
          seller: { domain: string; id: string } | null;
          app_ads: 'listed' | 'not_listed' | 'no_file' | null;
        }[];
        share: number | null;
        ipm_rate: { value: number; low: number; high: number } | null;
        adsets: { uuid: string; spends: number }[];
      }[];
      total: {
        clicks: number;
        installs: number;
        impressions: number;
        spends: number;
        ctr: number | null;
        cpm: number | null;
        cpi: number | null;
        win_rate?: number | null;
        install_rate?: number | null;
        ipm?: number | null;
        invalid_clicks?: number;
        invalid_installs?: number;
        app_events?: number;
        cost_per_app_event?: number | null;
        payers?: number | null;
        payer_rate?: number | null;
        revenue?: number | null;
        arpu?: number | null;
        arppu?: number | null;
        roas?: number | null;
        unknown_amounts?: number;
        named_events?: {
          name: string;
          count: number;
          people: number | null;
          cost_per_event: number | null;
        }[];
      };
      other: {
        clicks: number;
        installs: number;
        impressions: number;
        spends: number;
        ctr: number | null;
        cpm: number | null;
        cpi: number | null;
        win_rate?: number | null;
        install_rate?: number | null;
        ipm?: number | null;
        invalid_clicks?: number;
        invalid_installs?: number;
        app_events?: number;
        cost_per_app_event?: number | null;
        payers?: number | null;
        payer_rate?: number | null;
        revenue?: number | null;
        arpu?: number | null;
        arppu?: number | null;
        roas?: number | null;
        unknown_amounts?: number;
        named_events?: {
          name: string;
          count: number;
          people: number | null;
          cost_per_event: number | null;
        }[];
      } | null;
    };
  };
  /** Read the changes of a campaign and its ad sets, with the figures before and after each. GET /campaign/:uuid/changes; scope reports or read. */
  readCampaignChanges: {
    params: { uuid: string };
    query: { start_date: string; end_date: string };
    data: {
      changes: {
        uuid: string;
        entity_type:
          | 'app'
          | 'creative'
          | 'creative_group'
          | 'target'
          | 'tracking_link'
          | 'adset'
          | 'campaign'
          | 'user'
          | 'company'
          | 'api_token'
          | 'alert_channel'
          | 'alert_rule'
          | 'report_schedule'
          | 'report_destination';
        entity_uuid: string;
        entity_name: string;
        action:
          'create' | 'update' | 'delete' | 'start' | 'pause' | 'decide' | 'archive' | 'restore' | 'view';
        author: string;
        fields: {
          field: string;
          before: unknown;
          after: unknown;
          entries?: { added: number; removed: number; unchanged: number };
        }[];
        fields_left_out?: boolean;
        created_at: string;
        can_undo: boolean;
        together: number;
        comparison:
          | {
              outcome: 'compared';
              days: number;
              before: {
                impressions_per_day: number;
                spend_per_day: number;
                installs: number;
                ctr_rate: { value: number; low: number; high: number } | null;
                ipm_rate: { value: number; low: number; high: number } | null;
                cpi: number | null;
              };
              after: {
                impressions_per_day: number;
                spend_per_day: number;
                installs: number;
                ctr_rate: { value: number; low: number; high: number } | null;
                ipm_rate: { value: number; low: number; high: number } | null;
                cpi: number | null;
              };
            }
          | { outcome: 'too_early'; hours: number }
          | { outcome: 'too_close' }
          | null;
        budget_days: { date: string; spends: number }[];
      }[];
      total: number;
      group: 'hour' | 'day' | 'month';
      points: { bucket: string; starts_at: string; impressions: number; installs: number; spends: number }[];
    };
  };
  /** Compare the creatives of a campaign. GET /campaign/:uuid/creatives; scope reports or read. */
  readCampaignCreatives: {
    params: { uuid: string };
    query: { start_date: string; end_date: string; metric?: 'ipm' | 'ctr' };
    data: {
      comparisons: {
        type: 'Banner' | 'Video' | 'Playable' | 'Native';
        format: string | null;
        creatives: {
          uuid: string;
          name: string;
          impressions: number;
          clicks: number;
          installs: number;
          spends: number;
          cpi: number | null;
          ctr_rate: { value: number; low: number; high: number } | null;
          ipm_rate: { value: number; low: number; high: number } | null;
          best: number | null;
        }[];
        verdict:
          | { outcome: 'best'; uuid: string; probability: number }
          | {
              outcome: 'not_enough';
              uuid: string;
              probability: number;
              days_left: number | null;
              has_traffic: boolean;
            }
          | { outcome: 'none' };
      }[];
    };
  };
  /** Read what a campaign bid, paid and saved, by exchange and country. GET /campaign/:uuid/prices; scope reports or read. */
  readCampaignPrices: {
    params: { uuid: string };
    query: { start_date: string; end_date: string };
    data: {
      rows: {
        exchange: string;
        exchange_name: string;
        country: string;
        impressions: number;
        value: number;
        bid: number;
        paid: number;
        saved_by_shading: number;
        saved_by_auction: number;
        bid_cpm: number | null;
        paid_cpm: number | null;
      }[];
      total: {
        impressions: number;
        value: number;
        bid: number;
        paid: number;
        saved_by_shading: number;
        saved_by_auction: number;
        bid_cpm: number | null;
        paid_cpm: number | null;
      };
      other: {
        impressions: number;
        value: number;
        bid: number;
        paid: number;
        saved_by_shading: number;
        saved_by_auction: number;
        bid_cpm: number | null;
        paid_cpm: number | null;
      } | null;
    };
  };
  /** Read how bid requests became impressions of all campaigns, and where they were lost. GET /delivery; scope reports or read. */
  readCompanyDelivery: {
    query: { start_date: string; end_date: string };
    data: {
      total: {
        seen: { value: number; error: number };
        samples: number;
        steps: {
          step: 'open' | 'targeted' | 'placed' | 'funded' | 'above_floor' | 'chosen' | 'sent';
          requests: { value: number; error: number };
          exits: {
            exit:
              | 'not_in_app'
              | 'currency'
              | 'floor_unreadable'
              | 'seat_not_allowed'
              | 'campaign_not_running'
              | 'os'
              | 'country'
              | 'exchange'
              | 'device_type'
              | 'os_version'
              | 'device_model'
              | 'connection_type'
              | 'language'
              | 'genre'
              | 'bundle_black_listed'
              | 'bundle_not_white_listed'
              | 'own_app'
              | 'dsa_not_rendered'
              | 'private_auction'
              | 'not_secure'
              | 'no_matching_format'
              | 'blocked_ad_type'
              | 'blocked_attribute'
              | 'not_linear'
              | 'api_not_accepted'
              | 'protocol_not_accepted'
              | 'delivery_not_accepted'
              | 'no_matching_size'
              | 'mime_not_accepted'
              | 'video_duration'
              | 'video_bitrate'
              | 'video_orientation'
              | 'native_assets'
              | 'rewarded'
              | 'blocked_app'
              | 'blocked_advertiser'
              | 'blocked_category'
              | 'category_not_allowed'
              | 'creative_language'
              | 'insecure_address'
              | 'dsa_unknown'
              | 'overloaded'
              | 'no_lease'
              | 'pacing'
              | 'daily_budget'
              | 'total_budget'
              | 'balance'
              | 'floor'
              | 'outbid'
              | 'timeout'
              | 'answer_too_long'
              | 'markup_failed';
            requests: { value: number; error: number };
          }[];
        }[];
        bids: number;
        wins: number;
        losses: number;
        losses_by_code: {
          code: number;
          losses: number;
          min_to_win: {
            losses: number;
            median_cpm: number;
            p80_cpm: number;
            value: { losses: number; median_cpm: number; median_factor: number; p80_factor: number } | null;
          } | null;
        }[];
        impressions: number;
        clicks: number;
        installs: number;
        spend: number;
      };
      campaigns: {
        seen: { value: number; error: number };
        samples: number;
        steps: {
          step: 'open' | 'targeted' | 'placed' | 'funded' | 'above_floor' | 'chosen' | 'sent';
          requests: { value: number; error: number };
          exits: {
            exit:
              | 'not_in_app'
              | 'currency'
              | 'floor_unreadable'
              | 'seat_not_allowed'
              | 'campaign_not_running'
              | 'os'
              | 'country'
              | 'exchange'
              | 'device_type'
              | 'os_version'
              | 'device_model'
              | 'connection_type'
              | 'language'
              | 'genre'
              | 'bundle_black_listed'
              | 'bundle_not_white_listed'
              | 'own_app'
              | 'dsa_not_rendered'
              | 'private_auction'
              | 'not_secure'
              | 'no_matching_format'
              | 'blocked_ad_type'
              | 'blocked_attribute'
              | 'not_linear'
              | 'api_not_accepted'
              | 'protocol_not_accepted'
              | 'delivery_not_accepted'
              | 'no_matching_size'
              | 'mime_not_accepted'
              | 'video_duration'
              | 'video_bitrate'
              | 'video_orientation'
              | 'native_assets'
              | 'rewarded'
              | 'blocked_app'
              | 'blocked_advertiser'
              | 'blocked_category'
              | 'category_not_allowed'
              | 'creative_language'
              | 'insecure_address'
              | 'dsa_unknown'
              | 'overloaded'
              | 'no_lease'
              | 'pacing'
              | 'daily_budget'
              | 'total_budget'
              | 'balance'
              | 'floor'
              | 'outbid'
              | 'timeout'
              | 'answer_too_long'
              | 'markup_failed';
            requests: { value: number; error: number };
          }[];
        }[];
        bids: number;
        wins: number;
        losses: number;
        losses_by_code: {
          code: number;
          losses: number;
          min_to_win: {
            losses: number;
            median_cpm: number;
            p80_cpm: number;
            value: { losses: number; median_cpm: number; median_factor: number; p80_factor: number } | null;
          } | null;
        }[];
        impressions: number;
        clicks: number;
        installs: number;
        spend: number;
        uuid: string;
        name: string;
      }[];
    };
  };
  /** Read what the conversion values of an app mean in SKAdNetwork and AdAttributionKit. GET /app/:uuid/conversion-values; scope read or campaigns or creatives. */
  readConversionValues: {
    params: { uuid: string };
    data: {
      rules: {
        window: number;
        fine_from: number | null;
        fine_to: number | null;
        coarse: 'low' | 'medium' | 'high' | null;
        event: string | null;
        revenue_from: number | null;
        revenue_to: number | null;
      }[];
      versions: {
        valid_from: string;
        rules: {
          window: number;
          fine_from: number | null;
          fine_to: number | null;
          coarse: 'low' | 'medium' | 'high' | null;
          event: string | null;
          revenue_from: number | null;
          revenue_to: number | null;
        }[];
      }[];
    };
  };
  /** Read a creative group. GET /internal_creative_group/:uuid; scope read or campaigns or creatives. */
  readCreativeGroup: { params: { uuid: string }; data: CreativeGroup };
  /** Read where the bid requests of a campaign were lost on the way to an impression. GET /campaign/:uuid/delivery; scope reports or read. */
  readDelivery: {
    params: { uuid: string };
    query: { start_date: string; end_date: string };
    data: {
      total: {
        seen: { value: number; error: number };
        samples: number;
        steps: {
          step: 'open' | 'targeted' | 'placed' | 'funded' | 'above_floor' | 'chosen' | 'sent';
          requests: { value: number; error: number };
          exits: {
            exit:
              | 'not_in_app'
              | 'currency'
              | 'floor_unreadable'
              | 'seat_not_allowed'
              | 'campaign_not_running'
              | 'os'
              | 'country'
              | 'exchange'
              | 'device_type'
              | 'os_version'
              | 'device_model'
              | 'connection_type'
              | 'language'
              | 'genre'
              | 'bundle_black_listed'
              | 'bundle_not_white_listed'
              | 'own_app'
              | 'dsa_not_rendered'
              | 'private_auction'
              | 'not_secure'
              | 'no_matching_format'
              | 'blocked_ad_type'
              | 'blocked_attribute'
              | 'not_linear'
              | 'api_not_accepted'
              | 'protocol_not_accepted'
              | 'delivery_not_accepted'
              | 'no_matching_size'
              | 'mime_not_accepted'
              | 'video_duration'
              | 'video_bitrate'
              | 'video_orientation'
              | 'native_assets'
              | 'rewarded'
              | 'blocked_app'
              | 'blocked_advertiser'
              | 'blocked_category'
              | 'category_not_allowed'
              | 'creative_language'
              | 'insecure_address'
              | 'dsa_unknown'
              | 'overloaded'
              | 'no_lease'
              | 'pacing'
              | 'daily_budget'
              | 'total_budget'
              | 'balance'
              | 'floor'
              | 'outbid'
              | 'timeout'
              | 'answer_too_long'
              | 'markup_failed';
            requests: { value: number; error: number };
          }[];
        }[];
        bids: number;
        wins: number;
        losses: number;
        losses_by_code: {
          code: number;
          losses: number;
          min_to_win: {
            losses: number;
            median_cpm: number;
            p80_cpm: number;
            value: { losses: number; median_cpm: number; median_factor: number; p80_factor: number } | null;
          } | null;
        }[];
        impressions: number;
        clicks: number;
        installs: number;
        spend: number;
      };
      adsets: {
        seen: { value: number; error: number };
        samples: number;
        steps: {
          step: 'open' | 'targeted' | 'placed' | 'funded' | 'above_floor' | 'chosen' | 'sent';
          requests: { value: number; error: number };
          exits: {
            exit:
              | 'not_in_app'
              | 'currency'
              | 'floor_unreadable'
              | 'seat_not_allowed'
              | 'campaign_not_running'
              | 'os'
              | 'country'
              | 'exchange'
              | 'device_type'
              | 'os_version'
              | 'device_model'
              | 'connection_type'
              | 'language'
              | 'genre'
              | 'bundle_black_listed'
              | 'bundle_not_white_listed'
              | 'own_app'
              | 'dsa_not_rendered'
              | 'private_auction'
              | 'not_secure'
              | 'no_matching_format'
              | 'blocked_ad_type'
              | 'blocked_attribute'
              | 'not_linear'
              | 'api_not_accepted'
              | 'protocol_not_accepted'
              | 'delivery_not_accepted'
              | 'no_matching_size'
              | 'mime_not_accepted'
              | 'video_duration'
              | 'video_bitrate'
              | 'video_orientation'
              | 'native_assets'
              | 'rewarded'
              | 'blocked_app'
              | 'blocked_advertiser'
              | 'blocked_category'
              | 'category_not_allowed'
              | 'creative_language'
              | 'insecure_address'
              | 'dsa_unknown'
              | 'overloaded'
              | 'no_lease'
              | 'pacing'
              | 'daily_budget'
              | 'total_budget'
              | 'balance'
              | 'floor'
              | 'outbid'
              | 'timeout'
              | 'answer_too_long'
              | 'markup_failed';
            requests: { value: number; error: number };
          }[];
        }[];
        bids: number;
        wins: number;
        losses: number;
        losses_by_code: {
          code: number;
          losses: number;
          min_to_win: {
            losses: number;
            median_cpm: number;
            p80_cpm: number;
            value: { losses: number; median_cpm: number; median_factor: number; p80_factor: number } | null;
          } | null;
        }[];
        impressions: number;
        clicks: number;
        installs: number;
        spend: number;
        uuid: string;
        name: string;
        outbid_by: { uuid: string; name: string; requests: { value: number; error: number } }[];
        learning: {
          event: string | null;
          revenue_sources: ('purchases' | 'ad_revenue')[];
          conversions: number;
          needed: number;
          expected_error_percent: number | null;
        } | null;
      }[];
    };
  };
  /** Read the draft of a campaign. GET /campaign_draft/:uuid; scope read or campaigns. */
  readDraft: {
    params: { uuid: string };
    data: {
      uuid: string;
      name: string;
      version: number;
      created_by: string;
      updated_by: string;
      created_at: string;
      updated_at: string;
      values: Record<string, unknown>;
    };
  };
  /** Read a file. GET /file/:file; scope read or creatives. */
  readFile: { params: { file: string }; query?: { size?: 'thumb' }; data: Response };
  /** Read why a campaign spends less than it could. GET /campaign/:uuid/findings; scope reports or read. */
  readFindings: {
    params: { uuid: string };
    query: { start_date: string; end_date: string };
    data: {
      findings: {
        code:
          | 'suspended'
          | 'campaign_paused'
          | 'ended'
          | 'not_started'
          | 'app_in_review'
          | 'app_rejected'
          | 'balance'
          | 'bidding_stopped'
          | 'exchange_off'
          | 'no_adset'
          | 'adsets_paused'
          | 'no_creative'
          | 'creative_in_review'
          | 'creative_rejected'
          | 'tracking_link_in_review'
          | 'tracking_link_rejected'
          | 'price_missing'
          | 'total_budget_spent'
          | 'no_requests'
          | 'country'
          | 'exchange'
          | 'device_type'
          | 'os_version'
          | 'device_model'
          | 'connection_type'
          | 'language'
          | 'genre'
          | 'blocklist'
          | 'allowlist'
          | 'size_missing'
          | 'format_missing'
          | 'creative_refused'
          | 'insecure_address'
          | 'advertiser_blocked'
          | 'daily_budget'
          | 'pacing'
          | 'no_lease'
          | 'floor'
          | 'outbid_by_own'
          | 'outbid'
          | 'late'
          | 'win_price'
          | 'postbacks_refused'
          | 'postbacks_missing'
          | 'goal_missing'
          | 'budget_use'
          | 'source_identifiers_used_up'
          | 'signing_off'
          | 'signing_not_possible'
          | 'learning'
          | 'fine';
        severity: 'blocked' | 'limited' | 'advice' | 'fine';
        adset: { uuid: string; name: string } | null;
        text: string;
        lost: { value: number; error: number } | null;
        remedy: {
          label: string;
          screen:
            | 'campaign'
            | 'adset'
            | 'target'
            | 'creatives'
            | 'creative_group'
            | 'delivery'
            | 'tracking_link'
            | 'app'
            | 'finances'
            | 'postbacks'
            | 'measurement';
          uuid: string | null;
          field: string | null;
          value: string | number | null;
        } | null;
      }[];
    };
  };
  /** Read the highlights. GET /v2/analytics/highlight; scope reports or read. */
  readHighlights: {
    query: {
      start_date: string;
      end_date: string;
      group?: 'hour' | 'day' | 'week' | 'month' | 'year';
      campaign_uuid?: string;
    };
    data: {
      clicks: {
        total: number | null;
        previous: number | null;
        change_percent: number | null;
        series: { bucket: string; value: number | null }[];
      };
      cpi: {
        total: number | null;
        previous: number | null;
        change_percent: number | null;
        series: { bucket: string; value: number | null }[];
      };
      cpm: {
        total: number | null;
        previous: number | null;
        change_percent: number | null;
        series: { bucket: string; value: number | null }[];
      };
      impressions: {
        total: number | null;
        previous: number | null;
        change_percent: number | null;
        series: { bucket: string; value: number | null }[];
      };
      installs: {
        total: number | null;
        previous: number | null;
        change_percent: number | null;
        series: { bucket: string; value: number | null }[];
      };
      spend: {
        total: number | null;
        previous: number | null;
        change_percent: number | null;
        series: { bucket: string; value: number | null }[];
      };
    };
  };
  /** Read a sampled bid request that a campaign loses for a reason. GET /campaign/:uuid/delivery/request; scope reports or read. */
  readLostRequest: {
    params: { uuid: string };
    query: {
      exit:
        | 'not_in_app'
        | 'currency'
        | 'floor_unreadable'
        | 'seat_not_allowed'
        | 'campaign_not_running'
        | 'os'
        | 'country'
        | 'exchange'
        | 'device_type'
        | 'os_version'
        | 'device_model'
        | 'connection_type'
        | 'language'
        | 'genre'
        | 'bundle_black_listed'
        | 'bundle_not_white_listed'
        | 'own_app'
        | 'dsa_not_rendered'
        | 'private_auction'
        | 'not_secure'
        | 'no_matching_format'
        | 'blocked_ad_type'
        | 'blocked_attribute'
        | 'not_linear'
        | 'api_not_accepted'
        | 'protocol_not_accepted'
        | 'delivery_not_accepted'
        | 'no_matching_size'
        | 'mime_not_accepted'
        | 'video_duration'
        | 'video_bitrate'
        | 'video_orientation'
        | 'native_assets'
        | 'rewarded'
        | 'blocked_app'
        | 'blocked_advertiser'
        | 'blocked_category'
        | 'category_not_allowed'
        | 'creative_language'
        | 'insecure_address'
        | 'dsa_unknown'
        | 'overloaded'
        | 'no_lease'
        | 'pacing'
        | 'daily_budget'
        | 'total_budget'
        | 'balance'
        | 'floor'
        | 'outbid'
        | 'timeout'
        | 'answer_too_long'
        | 'markup_failed';
      adset_uuid?: string;
    };
    data: { lost: { exchange: string; received_at: string; request: Record<string, unknown> } | null };
  };
  /** Read what became of clicks and postbacks, by measurement partner and tracking link. GET /measurement; scope reports or read. */
  readMeasurement: {
    query: { start_date: string; end_date: string; campaign_id?: string; tracking_link_id?: string };
    data: {
      rows: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        tracking_link: { uuid: string; name: string };
        app: { uuid: string; name: string };
        clicks: number;
        postbacks: number;
        installs: number;
        duplicates: number;
        late: number;
        events: number;
        retargeting: number;
        rejected: number;
        not_attributed: number;
        installs_after_view: number;
        revoked: number;
        rejections: {
          reason:
            | 'partner'
            | 'no_click_id'
            | 'unknown_click'
            | 'no_touchpoint'
            | 'wrong_credential'
            | 'wrong_network'
            | 'unverified';
          partner_reason: string;
          count: number;
        }[];
        install_rate: { value: number; low: number; high: number } | null;
        last_postback_at: string | null;
        in_app_events: {
          name: string;
          label: string | null;
          offered: boolean;
          count: number;
          people: number | null;
          revenue: number | null;
          unknown_amounts: number;
        }[];
      }[];
      other: {
        clicks: number;
        postbacks: number;
        installs: number;
        duplicates: number;
        late: number;
        events: number;
        retargeting: number;
        rejected: number;
        not_attributed: number;
        installs_after_view: number;
        revoked: number;
        rejections: {
          reason:
            | 'partner'
            | 'no_click_id'
            | 'unknown_click'
            | 'no_touchpoint'
            | 'wrong_credential'
            | 'wrong_network'
            | 'unverified';
          partner_reason: string;
          count: number;
        }[];
        install_rate: { value: number; low: number; high: number } | null;
        last_postback_at: string | null;
      } | null;
      total: {
        clicks: number;
        postbacks: number;
        installs: number;
        duplicates: number;
        late: number;
        events: number;
        retargeting: number;
        rejected: number;
        not_attributed: number;
        installs_after_view: number;
        revoked: number;
        rejections: {
          reason:
            | 'partner'
            | 'no_click_id'
            | 'unknown_click'
            | 'no_touchpoint'
            | 'wrong_credential'
            | 'wrong_network'
            | 'unverified';
          partner_reason: string;
          count: number;
        }[];
        install_rate: { value: number; low: number; high: number } | null;
        last_postback_at: string | null;
      };
      unattributed: {
        mmp:
          | 'appsflyer'
          | 'adjust'
          | 'appmetrica'
          | 'singular'
          | 'branch'
          | 'kochava'
          | 'tenjin'
          | 'other'
          | null;
        clicks: number;
        postbacks: number;
        installs: number;
        duplicates: number;
        late: number;
        events: number;
        retargeting: number;
        rejected: number;
        not_attributed: number;
        installs_after_view: number;
        revoked: number;
        rejections: {
          reason:
            | 'partner'
            | 'no_click_id'
            | 'unknown_click'
            | 'no_touchpoint'
            | 'wrong_credential'
            | 'wrong_network'
            | 'unverified';
          partner_reason: string;
          count: number;
        }[];
        install_rate: { value: number; low: number; high: number } | null;
        last_postback_at: string | null;
      }[];
      in_app_events: {
        name: string;
        label: string | null;
        offered: boolean;
        count: number;
        people: number | null;
        revenue: number | null;
        unknown_amounts: number;
      }[];
      uncounted_events: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        reason:
          | 'unknown_click'
          | 'no_click_id'
          | 'no_touchpoint'
          | 'before_click'
          | 'after_window'
          | 'reported_late'
          | 'in_future'
          | 'rejected'
          | 'install_rejected'
          | 'device_address'
          | 'no_activity';
        count: number;
        last_at: string;
        examples: { at: string; name: string | null; event_at: string | null; click_id: string }[];
      }[];
      unread_times: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        count: number;
        last_at: string;
        example: string;
      }[];
      postback_days: number;
    };
  };
  /** Read how to pay. GET /finance/payment_instructions; scope read or finance. */
  readPaymentInstructions: { data: { instructions: string } };
  /** Read the addresses of postbacks. GET /postbacks; scope read or settings. */
  readPostbacks: {
    data: {
      secret: string;
      previous_secret_until: string | null;
      templates: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        purpose: string;
        value: string;
      }[];
      sources: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        networks: string[];
        secret_ending: string | null;
      }[];
      counts: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        outcome:
          | 'stored'
          | 'duplicate'
          | 'expired'
          | 'no_touchpoint'
          | 'rejected'
          | 'taken_back'
          | 'retargeting'
          | 'event'
          | 'unknown_click'
          | 'unattributed'
          | 'unverified'
          | 'erased'
          | 'pending';
        reason:
          | ''
          | 'too_fast'
          | 'too_late'
          | 'rate'
          | 'bot'
          | 'datacenter'
          | 'network'
          | 'credential'
          | 'install_rejected'
          | 'before_click'
          | 'after_window'
          | 'in_future'
          | 'reported_late'
          | 'time_unread'
          | 'no_activity';
        count: number;
      }[];
      unknown: {
        at: string;
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        outcome:
          | 'stored'
          | 'duplicate'
          | 'expired'
          | 'no_touchpoint'
          | 'rejected'
          | 'taken_back'
          | 'retargeting'
          | 'event'
          | 'unknown_click'
          | 'unattributed'
          | 'unverified'
          | 'erased'
          | 'pending';
        click_id: string;
        parameters: string;
      }[];
    };
  };
  /** Ask for the address of a preview. GET /file/:file/preview; scope read or creatives. */
  readPreview: { params: { file: string }; data: { url: string; expires_at: string } };
  /** Read the statement of the balance for a range of days. GET /finance/statement; scope read or finance. */
  readStatement: {
    query: { start_date: string; end_date: string };
    data: {
      time_zone: string;
      open: boolean;
      opening: number;
      closing: number;
      totals: { top_up: number; credit: number; debit: number; spend: number };
      lines: {
        date: string;
        kind: 'top_up' | 'credit' | 'debit' | 'spend';
        description: string;
        amount: number;
        balance: number;
      }[];
      campaigns: { uuid: string; name: string; spend: number }[];
      start_date: string;
      end_date: string;
    };
  };
  /** Read how much storage the uploaded files have and may have. GET /storage; scope read or creatives. */
  readStorage: {
    data: { used_bytes: number; quota_bytes: number; quota_after_approval_bytes: number | null };
  };
  /** Read a target. GET /target/:uuid; scope read or campaigns. */
  readTarget: { params: { uuid: string }; data: Target };
  /** Read a tracking link. GET /tracking_link/:uuid; scope read or campaigns. */
  readTrackingLink: { params: { uuid: string }; data: TrackingLink };
  /** Read the caller, or a colleague, which needs `people.read` besides. GET /users/:user_id; scope read. */
  readUser: { params: { user_id: string }; data: User };
  /** Compare the spend of reports, ledger and event log. GET /finance/reconciliation; scope reports or read. */
  reconcileSpend: {
    query: { start_date: string; end_date: string };
    data: {
      time_zone: string;
      from: string;
      before: string;
      days: {
        date: string;
        reports: number;
        ledger: number;
        log: number;
        charges: number;
        agrees: boolean;
      }[];
      total: { reports: number; ledger: number; log: number; charges: number; agrees: boolean };
    };
  };
  /** Delete an ad set that nothing uses. DELETE /adset/:uuid; scope campaigns. */
  removeAdset: { params: { uuid: string }; data: { uuid: string } };
  /** Delete an app that nothing uses. DELETE /app/:uuid; scope campaigns. */
  removeApp: { params: { uuid: string }; data: { uuid: string } };
  /** Delete a campaign that nothing uses. DELETE /campaign/:uuid; scope campaigns. */
  removeCampaign: { params: { uuid: string }; data: { uuid: string } };
  /** Delete a creative that nothing uses. DELETE /creative/:uuid; scope creatives. */
  removeCreative: { params: { uuid: string }; data: { uuid: string } };
  /** Delete a creative group that nothing uses. DELETE /creative_group/:uuid; scope creatives. */
  removeCreativeGroup: { params: { uuid: string }; data: { uuid: string } };
  /** Delete a creative that nothing uses. DELETE /internal_creative/:uuid; scope creatives. */
  removeInternalCreative: { params: { uuid: string }; data: { uuid: string } };
  /** Delete a creative group that nothing uses. DELETE /internal_creative_group/:uuid; scope creatives. */
  removeInternalCreativeGroup: { params: { uuid: string }; data: { uuid: string } };
  /** Delete a target that nothing uses. DELETE /target/:uuid; scope campaigns. */
  removeTarget: { params: { uuid: string }; data: { uuid: string } };
  /** Delete a tracking link that nothing uses. DELETE /tracking_link/:uuid; scope campaigns. */
  removeTrackingLink: { params: { uuid: string }; data: { uuid: string } };
  /** Send a delivery once more, with the same id. POST /alerts/deliveries/:uuid/replay; scope settings. */
  replayAlertDelivery: {
    params: { uuid: string };
    data: {
      uuid: string;
      kind: string;
      title: string;
      status: 'waiting' | 'delivered' | 'failed';
      attempts: number;
      attempted_at: string | null;
      next_attempt_at: string | null;
      response_status: number | null;
      response_start: string | null;
      error: string | null;
      created_at: string;
    };
  };
  /** Report by publisher bundle. POST /analytics/bundle; scope reports or read. */
  reportByBundle: {
    body: {
      start_date: string;
      end_date: string;
      metrics?:
        | (
            | 'spends'
            | 'clicks'
            | 'installs'
            | 'impressions'
            | 'ctr'
            | 'cpm'
            | 'cpi'
            | 'win_rate'
            | 'install_rate'
            | 'ipm'
            | 'invalid_clicks'
            | 'invalid_installs'
            | 'app_events'
            | 'cost_per_app_event'
            | 'payers'
            | 'payer_rate'
            | 'revenue'
            | 'arpu'
            | 'arppu'
            | 'roas'
            | 'unknown_amounts'
          )[]
        | null;
      event_names?: string[] | null;
      creative_ids?: string[] | null;
      campaign_uuid?: string | null;
    };
    data: BundleReport;
  };
  /** Report revenue and retention by days since the install. POST /analytics/cohorts; scope reports or read. */
  reportByCohorts: {
    body: {
      start_date: string;
      end_date: string;
      group?: 'day' | 'week' | 'month';
      by?:
        | 'campaign'
        | 'adset'
        | 'app'
        | 'bundle'
        | 'os'
        | 'country'
        | 'creative'
        | 'creative_group'
        | 'creative_width'
        | 'creative_height'
        | 'creative_duration'
        | 'exchange'
        | 'creative_type'
        | 'format'
        | null;
      filters?: Record<string, string> | null;
      metrics?: ('revenue' | 'roas' | 'arpu' | 'payers' | 'payer_rate' | 'retention')[] | null;
      top?: number;
      forecast?: boolean;
    };
    data: {
      rows: {
        cohort: string;
        value: string;
        name: string;
        installs: number;
        spend: number;
        unknown_amounts: number;
        cells: {
          day: number;
          mature_share: number | null;
          people: number;
          revenue?: number | null;
          roas?: { value: number; low: number | null; high: number | null } | null;
          arpu?: { value: number; low: number | null; high: number | null } | null;
          payers?: number | null;
          payer_rate?: { value: number; low: number; high: number } | null;
          retention?: { value: number; low: number; high: number } | null;
        }[];
        expected?: {
          from_day: number;
          expected_d30_revenue: number;
          low: number;
          high: number;
          curve: { day: number; revenue: number; low: number; high: number }[];
        } | null;
      }[];
      total: {
        installs: number;
        spend: number;
        unknown_amounts: number;
        cells: {
          day: number;
          mature_share: number | null;
          people: number;
          revenue?: number | null;
          roas?: { value: number; low: number | null; high: number | null } | null;
          arpu?: { value: number; low: number | null; high: number | null } | null;
          payers?: number | null;
          payer_rate?: { value: number; low: number; high: number } | null;
          retention?: { value: number; low: number; high: number } | null;
        }[];
        expected?: {
          from_day: number;
          expected_d30_revenue: number;
          low: number;
          high: number;
          curve: { day: number; revenue: number; low: number; high: number }[];
        } | null;
      };
      forecast?: {
        message: string | null;
        record: { day: number; cohorts: number; inside: number; mean_error_percent: number | null }[];
      };
    };
  };
  /** Report by levels. POST /analytics/level; scope reports or read. */
  reportByLevels: {
    body: {
      start_date: string;
      end_date: string;
      metrics?:
        | (
            | 'spends'
            | 'clicks'
            | 'installs'
            | 'impressions'
            | 'ctr'
            | 'cpm'
            | 'cpi'
            | 'win_rate'
            | 'install_rate'
            | 'ipm'
            | 'invalid_clicks'
            | 'invalid_installs'
            | 'app_events'
            | 'cost_per_app_event'
            | 'payers'
            | 'payer_rate'
            | 'revenue'
            | 'arpu'
            | 'arppu'
            | 'roas'
            | 'unknown_amounts'
          )[]
        | null;
      event_names?: string[] | null;
      levels: Record<string, string>;
      filters?: Record<string, string> | null;
      top?: number | null;
      page?: number | null;
      limit?: number | null;
      compare?: boolean | null;
    };
    data: LevelReport;
  };
  /** Count postbacks of SKAdNetwork and AdAttributionKit by any of their keys. POST /analytics/skadnetwork; scope reports or read. */
  reportPostbacks: {
    body: {
      start_date: string;
      end_date: string;
      app_uuid?: string;
      by?: (
        | 'day'
        | 'app'
        | 'adset'
        | 'source_identifier'
        | 'framework'
        | 'version'
        | 'fidelity'
        | 'window'
        | 'result'
        | 'conversion_type'
        | 'value'
        | 'country'
        | 'source_app'
      )[];
    };
    data: {
      rows: {
        groups: { key: string | null; name: string }[];
        postbacks: number;
        won: number;
        lost: number;
        downloads: number;
        redownloads: number;
        re_engagements: number;
      }[];
      total: {
        postbacks: number;
        won: number;
        lost: number;
        downloads: number;
        redownloads: number;
        re_engagements: number;
      };
      apps: { ios: number; signed: number };
      problems: {
        reason:
          | 'bad_signature'
          | 'unknown_key'
          | 'unknown_network'
          | 'unsupported_version'
          | 'unreadable'
          | 'unknown_source'
          | 'test';
        count: number;
        last_at: string;
      }[];
    };
  };
  /** Ask for funds. POST /finance/top_up; scope finance. */
  requestTopUp: { body: { amount: number }; data: Transaction };
  /** Restore an ad set. POST /adset/:uuid/restore; scope campaigns. */
  restoreAdset: { params: { uuid: string }; data: Adset };
  /** Restore an app. POST /app/:uuid/restore; scope campaigns. */
  restoreApp: { params: { uuid: string }; data: App };
  /** Restore a campaign. POST /campaign/:uuid/restore; scope campaigns. */
  restoreCampaign: { params: { uuid: string }; data: Campaign };
  /** Restore a creative. POST /creative/:uuid/restore; scope creatives. */
  restoreCreative: { params: { uuid: string }; data: Creative };
  /** Restore a creative group. POST /creative_group/:uuid/restore; scope creatives. */
  restoreCreativeGroup: { params: { uuid: string }; data: CreativeGroup };
  /** Restore a creative. POST /internal_creative/:uuid/restore; scope creatives. */
  restoreInternalCreative: { params: { uuid: string }; data: Creative };
  /** Restore a creative group. POST /internal_creative_group/:uuid/restore; scope creatives. */
  restoreInternalCreativeGroup: { params: { uuid: string }; data: CreativeGroup };
  /** Restore a target. POST /target/:uuid/restore; scope campaigns. */
  restoreTarget: { params: { uuid: string }; data: Target };
  /** Restore a tracking link. POST /tracking_link/:uuid/restore; scope campaigns. */
  restoreTrackingLink: { params: { uuid: string }; data: TrackingLink };
  /** Replace the secret in the addresses of postbacks; the one before stays valid for a day. POST /postbacks/secret; scope settings. */
  rotatePostbackSecret: {
    data: {
      secret: string;
      previous_secret_until: string | null;
      templates: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        purpose: string;
        value: string;
      }[];
      sources: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        networks: string[];
        secret_ending: string | null;
      }[];
      counts: {
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        outcome:
          | 'stored'
          | 'duplicate'
          | 'expired'
          | 'no_touchpoint'
          | 'rejected'
          | 'taken_back'
          | 'retargeting'
          | 'event'
          | 'unknown_click'
          | 'unattributed'
          | 'unverified'
          | 'erased'
          | 'pending';
        reason:
          | ''
          | 'too_fast'
          | 'too_late'
          | 'rate'
          | 'bot'
          | 'datacenter'
          | 'network'
          | 'credential'
          | 'install_rejected'
          | 'before_click'
          | 'after_window'
          | 'in_future'
          | 'reported_late'
          | 'time_unread'
          | 'no_activity';
        count: number;
      }[];
      unknown: {
        at: string;
        mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
        outcome:
          | 'stored'
          | 'duplicate'
          | 'expired'
          | 'no_touchpoint'
          | 'rejected'
          | 'taken_back'
          | 'retargeting'
          | 'event'
          | 'unknown_click'
          | 'unattributed'
          | 'unverified'
          | 'erased'
          | 'pending';
        click_id: string;
        parameters: string;
      }[];
    };
  };
  /** Choose when the company is alerted. PUT /alerts/settings; scope settings. */
  saveAlertSettings: { body: { balance_low: number | null }; data: { balance_low: number | null } };
  /** Send the report of the latest complete period, also once more. POST /report-schedules/:uuid/send; scope settings. */
  sendReportNow: {
    params: { uuid: string };
    data: {
      uuid: string;
      start_date: string;
      end_date: string;
      status: 'waiting' | 'sent' | 'failed';
      attempts: number;
      rows: number | null;
      mailed: number;
      deliveries: {
        destination_uuid: string;
        name: string;
        is_delivered: boolean;
        attempts: number;
        attempted_at: string;
        response_status: number | null;
        response_start: string | null;
        error: string | null;
      }[];
      error: string | null;
      created_at: string;
      finished_at: string | null;
    };
  };
  /** Start a campaign. POST /campaign/:uuid/start; scope campaigns. */
  startCampaign: { params: { uuid: string }; data: Campaign };
  /** Send a test alert to a channel. POST /alerts/channels/:uuid/test; scope settings. */
  testAlertChannel: {
    params: { uuid: string };
    data: {
      uuid: string;
      kind: string;
      title: string;
      status: 'waiting' | 'delivered' | 'failed';
      attempts: number;
      attempted_at: string | null;
      next_attempt_at: string | null;
      response_status: number | null;
      response_start: string | null;
      error: string | null;
      created_at: string;
    };
  };
  /** Send a test install to the address of postbacks; nothing is stored or counted. POST /postbacks/:mmp/test; scope settings. */
  testPostback: {
    params: { mmp: string };
    data: {
      address: string;
      steps: {
        step: 'address' | 'secret' | 'credential' | 'network' | 'click' | 'install';
        result: 'passed' | 'failed' | 'skipped';
        text: string;
      }[];
    };
  };
  /** Set the fields of a changed campaign or ad set back to their earlier values. POST /changes/:uuid/undo; scope campaigns. */
  undoChange: {
    params: { uuid: string };
    data: {
      entity_type:
        | 'app'
        | 'creative'
        | 'creative_group'
        | 'target'
        | 'tracking_link'
        | 'adset'
        | 'campaign'
        | 'user'
        | 'company'
        | 'api_token'
        | 'alert_channel'
        | 'alert_rule'
        | 'report_schedule'
        | 'report_destination';
      entity_uuid: string;
    };
  };
  /** Update an ad set. PUT /adset/:uuid; scope campaigns. */
  updateAdset: {
    params: { uuid: string };
    body?: {
      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      target_id?: string;
      tracking_link_id?: string;
      creative_group_ids?: string[];
      black_list_bundles?: string[] | null;
      white_list_bundles?: string[] | null;
      bundle_bids?: Record<string, number> | null;
      algo?: 'Manual CPM' | 'Target CPI' | 'Max installs' | 'Target CPA' | 'Target ROAS';
      bet_cpm?: number;
      bet_cpi?: number | null;
      goal_event?: string | null;
      cpa?: number | null;
      roas?: number | null;
      goal_window?: 0 | 7 | null;
      goals_by_country?: { country: string; value: number }[] | null;
      product_page_id?: string | null;
      overlay?: {
        delay?: number | null;
        end_card_delay?: number | null;
        dismissible?: boolean | null;
        position?: 'bottom' | 'raised' | null;
      } | null;
      daily_budget_const?: number | null;
      all_budget_const?: number | null;
      status?: 'Active' | 'Paused';
    };
    data: Adset;
  };
  /** Change the name or the kinds of a channel, or switch it on or off. PATCH /alerts/channels/:uuid; scope settings. */
  updateAlertChannel: {
    params: { uuid: string };
    body?: {
      /** At most 50 characters. An emoji is one. */
      name?: string;
      kinds?: ('balance' | 'rule' | 'spend' | 'anomaly' | 'postbacks' | 'review' | 'delivery' | 'account')[];
      is_enabled?: boolean;
    };
    data: {
      uuid: string;
      type: 'webhook' | 'slack' | 'telegram';
      name: string;
      target: string;
      kinds: ('balance' | 'rule' | 'spend' | 'anomaly' | 'postbacks' | 'review' | 'delivery' | 'account')[];
      is_enabled: boolean;
      failing_since: string | null;
      is_given_up: boolean;
      delivered_at: string | null;
      created_at: string;
    };
  };
  /** Change a rule, or switch it on or off; it is then checked anew. PUT /alerts/rules/:uuid; scope settings. */
  updateAlertRule: {
    params: { uuid: string };
    body: {
      metric:
        | 'spend'
        | 'spend_of_plan'
        | 'cpi'
        | 'cpm'
        | 'impressions'
        | 'clicks'
        | 'installs'
        | 'ctr'
        | 'install_rate'
        | 'ipm'
        | 'win_rate'
        | 'invalid_clicks'
        | 'revenue'
        | 'roas'
        | 'payer_rate'
        | 'roas_d0'
        | 'roas_d1'
        | 'roas_d3'
        | 'roas_d7'
        | 'roas_d14'
        | 'roas_d30'
        | 'retention_d1'
        | 'retention_d7';
      scope: 'company' | 'app' | 'campaign' | 'adset';
      scope_uuid: string | null;
      days: number;
      direction: 'above' | 'below';
      threshold: number;
      minimum: { of: 'spend' | 'impressions' | 'clicks' | 'installs'; value: number } | null;
      hour: number | null;
      is_enabled?: boolean;
    };
    data: {
      uuid: string;
      metric:
        | 'spend'
        | 'spend_of_plan'
        | 'cpi'
        | 'cpm'
        | 'impressions'
        | 'clicks'
        | 'installs'
        | 'ctr'
        | 'install_rate'
        | 'ipm'
        | 'win_rate'
        | 'invalid_clicks'
        | 'revenue'
        | 'roas'
        | 'payer_rate'
        | 'roas_d0'
        | 'roas_d1'
        | 'roas_d3'
        | 'roas_d7'
        | 'roas_d14'
        | 'roas_d30'
        | 'retention_d1'
        | 'retention_d7';
      scope: 'company' | 'app' | 'campaign' | 'adset';
      scope_uuid: string | null;
      scope_name: string | null;
      days: number;
      direction: 'above' | 'below';
      threshold: number;
      minimum: { of: 'spend' | 'impressions' | 'clicks' | 'installs'; value: number } | null;
      hour: number | null;
      is_enabled: boolean;
      state: 'unchecked' | 'not_met' | 'met' | 'too_little' | 'unknown' | 'failed';
      value: number | null;
      volume: number | null;
      from_date: string | null;
      to_date: string | null;
      checked_at: string | null;
      met_since: string | null;
      next_check_at: string | null;
      created_at: string;
    };
  };
  /** Update an app. PUT /app/:uuid; scope campaigns. */
  updateApp: {
    params: { uuid: string };
    body?: {
      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      os?: 'android' | 'ios' | null;
      store_link?: string;
      bundle_id?: string;
      size_in_kb?: number | null;
      mobile_measurement_partner?:
        'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
      iab_category?: string;
      rating?: number | null;
      icon_link?: string | null;
      advertiser_domain?: string | null;
    };
    data: App;
  };
  /** Change how in-app events of an app are shown and count. PUT /app/:uuid/events; scope campaigns. */
  updateAppEvents: {
    params: { uuid: string };
    body?: {
      click_window_days?: number;
      view_window_days?: number;
      revenue_sources?: ('purchases' | 'ad_revenue')[];
      events?: {
        name: string;
        label?: string | null;
        offered?: boolean;
        payer?: 'purchase' | 'always' | 'never';
      }[];
    };
    data: {
      click_window_days: number;
      view_window_days: number;
      revenue_sources: ('purchases' | 'ad_revenue')[];
      events: {
        name: string;
        label: string | null;
        offered: boolean;
        payer: 'purchase' | 'always' | 'never';
      }[];
    };
  };
  /** Update a campaign. PUT /campaign/:uuid; scope campaigns. */
  updateCampaign: {
    params: { uuid: string };
    body?: {
      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      app_uuid?: string;
      start_date?: string | null;
      end_date?: string | null;

      /** Whether a paused campaign starts by itself once everything in it is reviewed. A start, a pause and an attempt that fails set it to false. */
      start_when_approved?: boolean | null;
      adset_uuids?: string[] | null;
    };
    data: Campaign;
  };
  /** Change the name and the time zone of the company, and whether its people need a second factor. PUT /company/:uid; scope settings. */
  updateCompany: {
    params: { uid: string };
    body?: {
      /** At most 100 characters. An emoji is one. */
      name?: string;
      time_zone?: string;
      second_factor_required?: boolean;
    };
    data: { uuid: string; name: string; time_zone: string; second_factor_required: boolean };
  };
  /** Change what the conversion values of an app mean, from today on. PUT /app/:uuid/conversion-values; scope campaigns. */
  updateConversionValues: {
    params: { uuid: string };
    body: {
      rules: {
        window: number;
        fine_from: number | null;
        fine_to: number | null;
        coarse: 'low' | 'medium' | 'high' | null;
        event: string | null;
        revenue_from: number | null;
        revenue_to: number | null;
      }[];
    };
    data: {
      rules: {
        window: number;
        fine_from: number | null;
        fine_to: number | null;
        coarse: 'low' | 'medium' | 'high' | null;
        event: string | null;
        revenue_from: number | null;
        revenue_to: number | null;
      }[];
      versions: {
        valid_from: string;
        rules: {
          window: number;
          fine_from: number | null;
          fine_to: number | null;
          coarse: 'low' | 'medium' | 'high' | null;
          event: string | null;
          revenue_from: number | null;
          revenue_to: number | null;
        }[];
      }[];
    };
  };
  /** Update a creative. PUT /creative/:uuid; scope creatives. */
  updateCreative: {
    params: { uuid: string };
    body?: {
      click_url?: string | null;
      view_url?: string | null;

      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      labels?: string[];
    };
    data: Creative;
  };
  /** Update a creative group. PUT /internal_creative_group/:uuid; scope creatives. */
  updateCreativeGroup: {
    params: { uuid: string };
    body?: {
      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      banner_creatives?: (string | { uuid: string })[] | null;
      video_creatives?: (string | { uuid: string })[] | null;
      native_creatives?: (string | { uuid: string })[] | null;
      playable_creatives?: (string | { uuid: string })[] | null;
      native_title?: string | null;
      native_description?: string | null;
      native_sponsor?: string | null;
      status?: 'Moderation' | 'Rejected' | 'Active' | 'Paused';
    };
    data: CreativeGroup;
  };
  /** Update a creative group. PUT /creative_group/:uuid; scope creatives. */
  updateCreativeGroupAlias: {
    params: { uuid: string };
    body?: {
      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      banner_creatives?: (string | { uuid: string })[] | null;
      video_creatives?: (string | { uuid: string })[] | null;
      native_creatives?: (string | { uuid: string })[] | null;
      playable_creatives?: (string | { uuid: string })[] | null;
      native_title?: string | null;
      native_description?: string | null;
      native_sponsor?: string | null;
      status?: 'Moderation' | 'Rejected' | 'Active' | 'Paused';
    };
    data: CreativeGroup;
  };
  /** Replace the values of a draft, unless somebody changed it meanwhile. PUT /campaign_draft/:uuid; scope campaigns. */
  updateDraft: {
    params: { uuid: string };
    body: {
      /** The values of the form, at most 64 KiB of JSON. Nothing of them is checked. */
      values: Record<string, unknown>;
      version: number;
    };
    data: {
      uuid: string;
      name: string;
      version: number;
      created_by: string;
      updated_by: string;
      created_at: string;
      updated_at: string;
    };
  };
  /** Update an uploaded creative. PUT /internal_creative/:uuid; scope creatives. */
  updateInternalCreative: {
    params: { uuid: string };
    body?: {
      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      sponsor?: string | null;
      title?: string | null;
    };
    form?: FormData;
    data: Creative;
  };
  /** Set how postbacks of a partner are checked. PUT /postbacks/:mmp; scope settings. */
  updatePostbackSource: {
    params: { mmp: string };
    body?: { networks?: string[]; secret?: string | null };
    data: {
      mmp: 'appsflyer' | 'adjust' | 'appmetrica' | 'singular' | 'branch' | 'kochava' | 'tenjin' | 'other';
      networks: string[];
      secret_ending: string | null;
    };
  };
  /** Change a scheduled report, or switch it on or off. PUT /report-schedules/:uuid; scope settings. */
  updateReportSchedule: {
    params: { uuid: string };
    body: {
      /** At most 50 characters. An emoji is one. */
      name: string;
      report: {
        metrics?:
          | (
              | 'spends'
              | 'clicks'
              | 'installs'
              | 'impressions'
              | 'ctr'
              | 'cpm'
              | 'cpi'
              | 'win_rate'
              | 'install_rate'
              | 'ipm'
              | 'invalid_clicks'
              | 'invalid_installs'
              | 'app_events'
              | 'cost_per_app_event'
              | 'payers'
              | 'payer_rate'
              | 'revenue'
              | 'arpu'
              | 'arppu'
              | 'roas'
              | 'unknown_amounts'
            )[]
          | null;
        event_names?: string[] | null;
        levels: Record<string, string>;
        filters?: Record<string, string> | null;
      };
      format: 'mail' | 'csv' | 'parquet';
      frequency: 'daily' | 'weekly' | 'monthly';
      weekday: number | null;
      hour: number;
      user_uuids: string[];
      destination_uuids?: string[];
      is_enabled: boolean;
    };
    data: {
      uuid: string;
      name: string;
      report: {
        metrics?:
          | (
              | 'spends'
              | 'clicks'
              | 'installs'
              | 'impressions'
              | 'ctr'
              | 'cpm'
              | 'cpi'
              | 'win_rate'
              | 'install_rate'
              | 'ipm'
              | 'invalid_clicks'
              | 'invalid_installs'
              | 'app_events'
              | 'cost_per_app_event'
              | 'payers'
              | 'payer_rate'
              | 'revenue'
              | 'arpu'
              | 'arppu'
              | 'roas'
              | 'unknown_amounts'
            )[]
          | null;
        event_names?: string[] | null;
        levels: Record<string, string>;
        filters?: Record<string, string> | null;
      };
      format: 'mail' | 'csv' | 'parquet';
      frequency: 'daily' | 'weekly' | 'monthly';
      weekday: number | null;
      hour: number;
      user_uuids: string[];
      unsubscribed_uuids: string[];
      destination_uuids: string[];
      is_enabled: boolean;
      next_at: string | null;
      last_run: {
        uuid: string;
        start_date: string;
        end_date: string;
        status: 'waiting' | 'sent' | 'failed';
        attempts: number;
        rows: number | null;
        mailed: number;
        deliveries: {
          destination_uuid: string;
          name: string;
          is_delivered: boolean;
          attempts: number;
          attempted_at: string;
          response_status: number | null;
          response_start: string | null;
          error: string | null;
        }[];
        error: string | null;
        created_at: string;
        finished_at: string | null;
      } | null;
      created_at: string;
    };
  };
  /** Update a target. PUT /target/:uuid; scope campaigns. */
  updateTarget: {
    params: { uuid: string };
    body?: {
      app_id?: string;

      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      device_connection_types?: string[] | null;
      device_max_os_version?: string | null;
      device_min_os_version?: string | null;
      device_models?: string[] | null;
      device_os?: string[] | null;
      device_types?: string[] | null;
      exchange_include?: string[] | null;
      exchange_exclude?: string[] | null;
      genre_include?: string[] | null;
      genre_exclude?: string[] | null;
      language_include?: string[] | null;
      language_exclude?: string[] | null;
      location_include?: string[] | null;
      location_exclude?: string[] | null;
    };
    data: Target;
  };
  /** Update a tracking link. PUT /tracking_link/:uuid; scope campaigns. */
  updateTrackingLink: {
    params: { uuid: string };
    body?: {
      app_id?: string;

      /** At most 50 characters. An emoji is one. */
      name?: string;
      description?: string | null;
      click_url?: string;
      view_url?: string;
    };
    data: TrackingLink;
  };
  /** Upload a creative. POST /v2/internal_creative; scope creatives. */
  uploadCreative: { form: FormData; data: Creative };
}

/** How each call is sent. */
export const calls = {
  archiveAdset: { method: 'POST', path: '/adset/:uuid/archive', kind: 'write' },
  archiveApp: { method: 'POST', path: '/app/:uuid/archive', kind: 'write' },
  archiveCampaign: { method: 'POST', path: '/campaign/:uuid/archive', kind: 'write' },
  archiveCreative: { method: 'POST', path: '/creative/:uuid/archive', kind: 'write' },
  archiveCreativeGroup: { method: 'POST', path: '/creative_group/:uuid/archive', kind: 'write' },
  archiveInternalCreative: { method: 'POST', path: '/internal_creative/:uuid/archive', kind: 'write' },
  archiveInternalCreativeGroup: {
    method: 'POST',
    path: '/internal_creative_group/:uuid/archive',
    kind: 'write',
  },
  archiveTarget: { method: 'POST', path: '/target/:uuid/archive', kind: 'write' },
  archiveTrackingLink: { method: 'POST', path: '/tracking_link/:uuid/archive', kind: 'write' },
  changeBillingDetails: {
    method: 'PUT',
    path: '/finance/billing_details',
    kind: 'write',
    takesMatch: true,
    ignoring: ['needs_email_confirmation'],
  },
  changeBundle: { method: 'PUT', path: '/campaign/:uuid/bundle', kind: 'write' },
  checkTrackingLink: { method: 'POST', path: '/tracking_link/check', kind: 'write' },
  comparePostbacks: { method: 'GET', path: '/analytics/skadnetwork/comparison', kind: 'read' },
  createAdset: { method: 'POST', path: '/adset', kind: 'create' },
  createAlertChannel: { method: 'POST', path: '/alerts/channels', kind: 'write' },
  createAlertRule: { method: 'POST', path: '/alerts/rules', kind: 'create' },
  createApp: { method: 'POST', path: '/app', kind: 'create' },
  createCampaign: { method: 'POST', path: '/campaign', kind: 'create' },
  createCreative: { method: 'POST', path: '/creative', kind: 'create' },
  createCreativeGroup: { method: 'POST', path: '/internal_creative_group', kind: 'create' },
  createCreativeGroupAlias: { method: 'POST', path: '/creative_group', kind: 'create' },
  createDraft: { method: 'POST', path: '/campaign_draft', kind: 'create' },
  createReportSchedule: { method: 'POST', path: '/report-schedules', kind: 'create' },
  createTarget: { method: 'POST', path: '/target', kind: 'create' },
  createTrackingLink: { method: 'POST', path: '/tracking_link', kind: 'create' },
  deleteAlertChannel: {
    method: 'DELETE',
    path: '/alerts/channels/:uuid',
    kind: 'write',
    takesMatch: true,
    ignoring: ['failing_since', 'is_given_up', 'delivered_at'],
  },
  deleteAlertRule: {
    method: 'DELETE',
    path: '/alerts/rules/:uuid',
    kind: 'write',
    takesMatch: true,
    ignoring: [
      'state',
      'value',
      'volume',
      'from_date',
      'to_date',
      'checked_at',
      'met_since',
      'next_check_at',
    ],
  },
  deleteApps: { method: 'DELETE', path: '/app/batch', kind: 'write' },
  deleteReportSchedule: {
    method: 'DELETE',
    path: '/report-schedules/:uuid',
    kind: 'write',
    takesMatch: true,
    ignoring: ['next_at', 'last_run', 'unsubscribed_uuids'],
  },
  discardDraft: { method: 'DELETE', path: '/campaign_draft/:uuid', kind: 'write' },
  downloadInvoice: { method: 'GET', path: '/finance/invoices/:uuid/pdf', kind: 'read', isFile: true },
  duplicateAdset: { method: 'POST', path: '/adset/:uuid/duplicate', kind: 'create' },
  duplicateCampaign: { method: 'POST', path: '/campaign/:uuid/duplicate', kind: 'create' },
  duplicateTarget: { method: 'POST', path: '/target/:uuid/duplicate', kind: 'create' },
  exportBids: { method: 'GET', path: '/analytics/bids/export', kind: 'read', isFile: true },
  exportCohorts: { method: 'POST', path: '/analytics/cohorts/export', kind: 'read', isFile: true },
  exportEvents: { method: 'GET', path: '/analytics/events', kind: 'read', isFile: true },
  exportReport: { method: 'POST', path: '/analytics/export', kind: 'read', isFile: true },
  forecastAdset: { method: 'POST', path: '/adset/forecast', kind: 'read' },
  listAdsetSummaries: { method: 'GET', path: '/adset/summary', kind: 'read' },
  listAdsets: { method: 'GET', path: '/adset', kind: 'read' },
  listAlertChannels: { method: 'GET', path: '/alerts/channels', kind: 'read' },
  listAlertDeliveries: { method: 'GET', path: '/alerts/channels/:uuid/deliveries', kind: 'read' },
  listAlertRules: { method: 'GET', path: '/alerts/rules', kind: 'read' },
  listAlgorithms: { method: 'GET', path: '/algorithms', kind: 'read' },
  listApprovals: { method: 'GET', path: '/approval', kind: 'read' },
  listApps: { method: 'GET', path: '/app', kind: 'read' },
  listBannerResolutions: { method: 'GET', path: '/banner', kind: 'read' },
  listBids: { method: 'GET', path: '/analytics/bids', kind: 'read' },
  listCampaignComments: { method: 'GET', path: '/campaign/:uuid/comment', kind: 'read' },
  listCampaigns: { method: 'GET', path: '/campaign', kind: 'read' },
  listChanges: { method: 'GET', path: '/company/:uid/changes', kind: 'read' },
  listCompanySummaries: { method: 'GET', path: '/companies/summary', kind: 'read' },
  listConnectionTypes: { method: 'GET', path: '/connection_types', kind: 'read' },
  listCreativeFindings: { method: 'GET', path: '/findings/creatives', kind: 'read' },
  listCreativeGroups: { method: 'GET', path: '/internal_creative_group', kind: 'read' },
  listCreatives: { method: 'GET', path: '/internal_creative', kind: 'read' },
  listDeviceTypes: { method: 'GET', path: '/device_types', kind: 'read' },
  listDraftComments: { method: 'GET', path: '/campaign_draft/:uuid/comment', kind: 'read' },
  listDrafts: { method: 'GET', path: '/campaign_draft', kind: 'read' },
  listIabCategories: { method: 'GET', path: '/iab_categories', kind: 'read' },
  listInvoices: { method: 'GET', path: '/finance/invoices', kind: 'read' },
  listLanguages: { method: 'GET', path: '/languages', kind: 'read' },
  listMainFindings: { method: 'GET', path: '/findings', kind: 'read' },
  listNotifications: { method: 'GET', path: '/notifications', kind: 'read' },
  listOperatingSystems: { method: 'GET', path: '/operating_systems', kind: 'read' },
  listOwnCompanies: { method: 'GET', path: '/companies', kind: 'read' },
  listPeople: { method: 'GET', path: '/people', kind: 'read' },
  listPhoneModels: { method: 'GET', path: '/phone_models', kind: 'read' },
  listRankedFindings: { method: 'GET', path: '/findings/ranked', kind: 'read' },
  listReportDestinations: { method: 'GET', path: '/report-destinations', kind: 'read' },
  listReportRuns: { method: 'GET', path: '/report-schedules/:uuid/runs', kind: 'read' },
  listReportSchedules: { method: 'GET', path: '/report-schedules', kind: 'read' },
  listSourceIdentifiers: { method: 'GET', path: '/app/:uuid/source_identifiers', kind: 'read' },
  listSsps: { method: 'GET', path: '/ssps', kind: 'read' },
  listStoreGenres: { method: 'GET', path: '/store_genres', kind: 'read' },
  listSubRegions: { method: 'GET', path: '/sub_region', kind: 'read' },
  listTargets: { method: 'GET', path: '/target', kind: 'read' },
  listTrackingLinks: { method: 'GET', path: '/tracking_link', kind: 'read' },
  listTransactions: { method: 'GET', path: '/finance/transactions', kind: 'read' },
  markNotificationsRead: { method: 'PATCH', path: '/notifications', kind: 'write' },
  parseStoreLink: { method: 'POST', path: '/app/parse', kind: 'write' },
  pauseCampaign: { method: 'POST', path: '/campaign/:uuid/pause', kind: 'write' },
  readAdset: { method: 'GET', path: '/adset/:uuid', kind: 'read' },
  readAlertPreferences: { method: 'GET', path: '/alerts/preferences', kind: 'read' },
  readAlertSettings: { method: 'GET', path: '/alerts/settings', kind: 'read' },
  readApp: { method: 'GET', path: '/app/:uuid', kind: 'read' },
  readAppEvents: { method: 'GET', path: '/app/:uuid/events', kind: 'read' },
  readApprovalLimits: { method: 'GET', path: '/approval/limits', kind: 'read' },
  readBalance: { method: 'GET', path: '/finance/balance', kind: 'read' },
  readBillingDetails: { method: 'GET', path: '/finance/billing_details', kind: 'read' },
  readCampaign: { method: 'GET', path: '/campaign/:uuid', kind: 'read' },
  readCampaignBundles: { method: 'GET', path: '/campaign/:uuid/bundles', kind: 'read' },
  readCampaignChanges: { method: 'GET', path: '/campaign/:uuid/changes', kind: 'read' },
  readCampaignCreatives: { method: 'GET', path: '/campaign/:uuid/creatives', kind: 'read' },
  readCampaignPrices: { method: 'GET', path: '/campaign/:uuid/prices', kind: 'read' },
  readCompanyDelivery: { method: 'GET', path: '/delivery', kind: 'read' },
  readConversionValues: { method: 'GET', path: '/app/:uuid/conversion-values', kind: 'read' },
  readCreativeGroup: { method: 'GET', path: '/internal_creative_group/:uuid', kind: 'read' },
  readDelivery: { method: 'GET', path: '/campaign/:uuid/delivery', kind: 'read' },
  readDraft: { method: 'GET', path: '/campaign_draft/:uuid', kind: 'read' },
  readFile: { method: 'GET', path: '/file/:file', kind: 'read', isFile: true },
  readFindings: { method: 'GET', path: '/campaign/:uuid/findings', kind: 'read' },
  readHighlights: { method: 'GET', path: '/v2/analytics/highlight', kind: 'read' },
  readLostRequest: { method: 'GET', path: '/campaign/:uuid/delivery/request', kind: 'read' },
  readMeasurement: { method: 'GET', path: '/measurement', kind: 'read' },
  readPaymentInstructions: { method: 'GET', path: '/finance/payment_instructions', kind: 'read' },
  readPostbacks: { method: 'GET', path: '/postbacks', kind: 'read' },
  readPreview: { method: 'GET', path: '/file/:file/preview', kind: 'read' },
  readStatement: { method: 'GET', path: '/finance/statement', kind: 'read' },
  readStorage: { method: 'GET', path: '/storage', kind: 'read' },
  readTarget: { method: 'GET', path: '/target/:uuid', kind: 'read' },
  readTrackingLink: { method: 'GET', path: '/tracking_link/:uuid', kind: 'read' },
  readUser: { method: 'GET', path: '/users/:user_id', kind: 'read' },
  reconcileSpend: { method: 'GET', path: '/finance/reconciliation', kind: 'read' },
  removeAdset: { method: 'DELETE', path: '/adset/:uuid', kind: 'write', takesMatch: true },
  removeApp: { method: 'DELETE', path: '/app/:uuid', kind: 'write', takesMatch: true },
  removeCampaign: {
    method: 'DELETE',
    path: '/campaign/:uuid',
    kind: 'write',
    takesMatch: true,
    ignoring: ['in_review'],
  },
  removeCreative: { method: 'DELETE', path: '/creative/:uuid', kind: 'write', takesMatch: true },
  removeCreativeGroup: { method: 'DELETE', path: '/creative_group/:uuid', kind: 'write', takesMatch: true },
  removeInternalCreative: {
    method: 'DELETE',
    path: '/internal_creative/:uuid',
    kind: 'write',
    takesMatch: true,
  },
  removeInternalCreativeGroup: {
    method: 'DELETE',
    path: '/internal_creative_group/:uuid',
    kind: 'write',
    takesMatch: true,
  },
  removeTarget: { method: 'DELETE', path: '/target/:uuid', kind: 'write', takesMatch: true },
  removeTrackingLink: { method: 'DELETE', path: '/tracking_link/:uuid', kind: 'write', takesMatch: true },
  replayAlertDelivery: { method: 'POST', path: '/alerts/deliveries/:uuid/replay', kind: 'write' },
  reportByBundle: { method: 'POST', path: '/analytics/bundle', kind: 'read' },
  reportByCohorts: { method: 'POST', path: '/analytics/cohorts', kind: 'read' },
  reportByLevels: { method: 'POST', path: '/analytics/level', kind: 'read' },
  reportPostbacks: { method: 'POST', path: '/analytics/skadnetwork', kind: 'read' },
  requestTopUp: { method: 'POST', path: '/finance/top_up', kind: 'create' },
  restoreAdset: { method: 'POST', path: '/adset/:uuid/restore', kind: 'write' },
  restoreApp: { method: 'POST', path: '/app/:uuid/restore', kind: 'write' },
  restoreCampaign: { method: 'POST', path: '/campaign/:uuid/restore', kind: 'write' },
  restoreCreative: { method: 'POST', path: '/creative/:uuid/restore', kind: 'write' },
  restoreCreativeGroup: { method: 'POST', path: '/creative_group/:uuid/restore', kind: 'write' },
  restoreInternalCreative: { method: 'POST', path: '/internal_creative/:uuid/restore', kind: 'write' },
  restoreInternalCreativeGroup: {
    method: 'POST',
    path: '/internal_creative_group/:uuid/restore',
    kind: 'write',
  },
  restoreTarget: { method: 'POST', path: '/target/:uuid/restore', kind: 'write' },
  restoreTrackingLink: { method: 'POST', path: '/tracking_link/:uuid/restore', kind: 'write' },
  rotatePostbackSecret: { method: 'POST', path: '/postbacks/secret', kind: 'write' },
  saveAlertSettings: { method: 'PUT', path: '/alerts/settings', kind: 'write', takesMatch: true },
  sendReportNow: { method: 'POST', path: '/report-schedules/:uuid/send', kind: 'write' },
  startCampaign: { method: 'POST', path: '/campaign/:uuid/start', kind: 'write' },
  testAlertChannel: { method: 'POST', path: '/alerts/channels/:uuid/test', kind: 'write' },
  testPostback: { method: 'POST', path: '/postbacks/:mmp/test', kind: 'write' },
  undoChange: { method: 'POST', path: '/changes/:uuid/undo', kind: 'write' },
  updateAdset: { method: 'PUT', path: '/adset/:uuid', kind: 'write', takesMatch: true },
  updateAlertChannel: {
    method: 'PATCH',
    path: '/alerts/channels/:uuid',
    kind: 'write',
    takesMatch: true,
    ignoring: ['failing_since', 'is_given_up', 'delivered_at'],
  },
  updateAlertRule: {
    method: 'PUT',
    path: '/alerts/rules/:uuid',
    kind: 'write',
    takesMatch: true,
    ignoring: [
      'state',
      'value',
      'volume',
      'from_date',
      'to_date',
      'checked_at',
      'met_since',
      'next_check_at',
    ],
  },
  updateApp: { method: 'PUT', path: '/app/:uuid', kind: 'write', takesMatch: true },
  updateAppEvents: { method: 'PUT', path: '/app/:uuid/events', kind: 'write', takesMatch: true },
  updateCampaign: {
    method: 'PUT',
    path: '/campaign/:uuid',
    kind: 'write',
    takesMatch: true,
    ignoring: ['in_review'],
  },
  updateCompany: { method: 'PUT', path: '/company/:uid', kind: 'write', takesMatch: true },
  updateConversionValues: {
    method: 'PUT',
    path: '/app/:uuid/conversion-values',
    kind: 'write',
    takesMatch: true,
    ignoring: ['versions'],
  },
  updateCreative: { method: 'PUT', path: '/creative/:uuid', kind: 'write', takesMatch: true },
  updateCreativeGroup: {
    method: 'PUT',
    path: '/internal_creative_group/:uuid',
    kind: 'write',
    takesMatch: true,
  },
  updateCreativeGroupAlias: { method: 'PUT', path: '/creative_group/:uuid', kind: 'write', takesMatch: true },
  updateDraft: { method: 'PUT', path: '/campaign_draft/:uuid', kind: 'write' },
  updateInternalCreative: {
    method: 'PUT',
    path: '/internal_creative/:uuid',
    kind: 'write',
    takesMatch: true,
  },
  updatePostbackSource: { method: 'PUT', path: '/postbacks/:mmp', kind: 'write', takesMatch: true },
  updateReportSchedule: {
    method: 'PUT',
    path: '/report-schedules/:uuid',
    kind: 'write',
    takesMatch: true,
    ignoring: ['next_at', 'last_run', 'unsubscribed_uuids'],
  },
  updateTarget: { method: 'PUT', path: '/target/:uuid', kind: 'write', takesMatch: true },
  updateTrackingLink: { method: 'PUT', path: '/tracking_link/:uuid', kind: 'write', takesMatch: true },
  uploadCreative: { method: 'POST', path: '/v2/internal_creative', kind: 'create' },
} as const;
