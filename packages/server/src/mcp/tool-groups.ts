/** Calls of the API that are one tool for assistants, since they are about one thing. All of them read, or all change something. */
export interface ToolGroup {
  /** The description of the tool, without a full stop. */
  about: string;
  /** The calls by value of the argument `what` of a reading tool, or `action` of a changing one. */
  calls: Readonly<Record<string, string>>;
  /** The call without that argument. */
  usual?: string;
}

const LIFE = { archive: 'archive', restore: 'restore', delete: 'remove' } as const;

/** Archives, restores and deletes an entity, and other actions on it as a whole. */
function managing(entity: string, noun: string, more: readonly string[] = []): ToolGroup {
  const others = more.map((action): [string, string] => [action, `${action}_${entity}`]);
  const verbs = [...more, 'archive', 'restore'].join(', ');
  return {
    about: `${verbs[0]!.toUpperCase()}${verbs.slice(1)} or delete ${noun}; only what nothing uses is deleted`,
    calls: {
      ...Object.fromEntries(others),
      ...Object.fromEntries(Object.entries(LIFE).map(([action, verb]) => [action, `${verb}_${entity}`])),
    },
  };
}

const saving = (entity: string, noun: string): ToolGroup => ({
  about: `Create ${noun}, or update one; an update may leave fields out`,
  calls: { create: `create_${entity}`, update: `update_${entity}` },
});

/**
 * The tools that stand for several calls. Assistants take a limited number of tools, and choose better among few. A call that is in none is a tool
 * of its own. The names of single calls work as well, unlisted.
 */
export const TOOL_GROUPS: Readonly<Record<string, ToolGroup>> = {
  list_reference: {
    about: 'List the values that targets, apps and creatives may have',
    calls: {
      algorithms: 'list_algorithms',
      banner_resolutions: 'list_banner_resolutions',
      connection_types: 'list_connection_types',
      device_types: 'list_device_types',
      iab_categories: 'list_iab_categories',
      languages: 'list_languages',
      operating_systems: 'list_operating_systems',
      phone_models: 'list_phone_models',
      exchanges: 'list_ssps',
      store_genres: 'list_store_genres',
      regions: 'list_sub_regions',
      regions_of_countries: 'list_regions',
      cities_in_traffic: 'list_seen_cities',
    },
  },
  read_alerts: {
    about:
      'Read alerts: channels, their latest deliveries, rules by figures, settings of the company, own mails',
    calls: {
      channels: 'list_alert_channels',
      deliveries: 'list_alert_deliveries',
      rules: 'list_alert_rules',
      settings: 'read_alert_settings',
      own_mails: 'read_alert_preferences',
    },
  },
  list_findings: {
    about:
      'List what limits campaigns, ranked by what it costs; the main finding of each campaign and ad set; or of creatives',
    calls: {
      ranked: 'list_ranked_findings',
      main: 'list_main_findings',
      creatives: 'list_creative_findings',
    },
  },
  read_campaign_report: {
    about:
      'Read of one campaign: its findings; where bid requests were lost (delivery), with a sampled request; prices; reach and frequency; publishers’ apps; creatives; changes with figures before and after',
    calls: {
      findings: 'read_findings',
      delivery: 'read_delivery',
      lost_request: 'read_lost_request',
      prices: 'read_campaign_prices',
      reach: 'read_campaign_reach',
      bundles: 'read_campaign_bundles',
      creatives: 'read_campaign_creatives',
      changes: 'read_campaign_changes',
    },
  },
  read_finance: {
    about:
      'Read money: the balance, transactions, invoices, a statement, and the spend of reports compared with the ledger',
    calls: {
      balance: 'read_balance',
      transactions: 'list_transactions',
      statement: 'read_statement',
      invoices: 'list_invoices',
      billing_details: 'read_billing_details',
      payment_instructions: 'read_payment_instructions',
      reconciliation: 'reconcile_spend',
    },
  },
  read_report_schedules: {
    about:
      'Read scheduled reports, the latest runs of one, where reports may be sent, and the export of events to a warehouse',
    calls: {
      schedules: 'list_report_schedules',
      runs: 'list_report_runs',
      destinations: 'list_report_destinations',
      warehouse: 'read_warehouse_export',
      warehouse_runs: 'list_warehouse_runs',
    },
  },
  read_partner_costs: {
    about: 'Read how costs are sent to measurement partners, or the latest uploads',
    calls: { settings: 'list_partner_costs', uploads: 'list_cost_uploads' },
    usual: 'settings',
  },
  read_app: {
    about:
      'Read an app, its in-app events, what its conversion values mean, the numbers of its ad sets in SKAdNetwork, or copies of its postbacks',
    calls: {
      app: 'read_app',
      events: 'read_app_events',
      conversion_values: 'read_conversion_values',
      source_identifiers: 'list_source_identifiers',
      postback_copies: 'read_postback_copies',
    },
    usual: 'app',
  },
  read_audiences: {
    about: 'List audiences, or read one or its latest imports',
    calls: {
      all: 'list_audiences',
      audience: 'read_audience',
      imports: 'list_audience_imports',
    },
    usual: 'all',
  },
  list_adsets: {
    about: 'List ad sets; summaries have the numbers of their bundles in place of the lists',
    calls: { all: 'list_adsets', summaries: 'list_adset_summaries' },
    usual: 'all',
  },
  list_comments: {
    about: 'List the comments on a campaign or on a draft, the oldest first',
    calls: { campaign: 'list_campaign_comments', draft: 'list_draft_comments' },
  },
  read_company: {
    about:
      'Read the companies of the caller, a summary of each, the people of the company, a person, or the storage in use',
    calls: {
      companies: 'list_own_companies',
      summaries: 'list_company_summaries',
      people: 'list_people',
      person: 'read_user',
      storage: 'read_storage',
    },
  },
  read_approvals: {
    about: 'Read requests for approval, or above which budgets a second person has to approve',
    calls: { requests: 'list_approvals', limits: 'read_approval_limits' },
  },
  report_postbacks: {
    about:
      'Count postbacks of SKAdNetwork and AdAttributionKit, or compare them with installs of measurement partners',
    calls: { counts: 'report_postbacks', comparison: 'compare_postbacks' },
    usual: 'counts',
  },
  manage_campaign: managing('campaign', 'a campaign', ['start', 'pause', 'duplicate']),
  manage_adset: managing('adset', 'an ad set', ['duplicate']),
  manage_target: managing('target', 'a target', ['duplicate']),
  manage_tracking_link: managing('tracking_link', 'a tracking link'),
  manage_audience: {
    about:
      'Refresh an audience that has an address or a rule, or delete an audience that nothing uses, with its ids',
    calls: { refresh: 'refresh_audience', delete: 'delete_audience' },
  },
  manage_creative: {
    about:
      'Send a creative to an exchange for review again, archive, restore or delete it; only what nothing uses is deleted',
    calls: { send_for_review: 'send_for_review', ...managing('creative', 'a creative').calls },
  },
  manage_creative_group: managing('creative_group', 'a creative group'),
  manage_app: {
    about:
      'Archive, restore or delete an app, or delete several, all or none; only what nothing uses is deleted',
    calls: {
      archive: 'archive_app',
      restore: 'restore_app',
      delete: 'remove_app',
      delete_several: 'delete_apps',
    },
  },
  save_campaign: saving('campaign', 'a campaign'),
  save_adset: saving('adset', 'an ad set'),
  save_target: saving('target', 'a target'),
  save_tracking_link: saving('tracking_link', 'a tracking link'),
  save_audience: {
    about: 'Create an audience, update one, or add, remove or replace its ids',
    calls: {
      create: 'create_audience',
      update: 'update_audience',
      change_ids: 'change_audience_ids',
    },
  },
  save_creative_group: saving('creative_group', 'a creative group'),
  save_app: {
    about: 'Register an app or update one, how its in-app events count, or what its conversion values mean',
    calls: {
      create: 'create_app',
      update: 'update_app',
      update_events: 'update_app_events',
      update_conversion_values: 'update_conversion_values',
    },
  },
  save_creative: {
    about: 'Give an uploaded asset its addresses (create), update a creative, or the texts of an asset',
    calls: { create: 'create_creative', update: 'update_creative', update_asset: 'update_internal_creative' },
  },
  save_draft: {
    about: 'Store the draft of a campaign, replace its values, or discard it',
    calls: { create: 'create_draft', update: 'update_draft', discard: 'discard_draft' },
  },
  save_alert_channel: {
    about: 'Add, change, remove or test a channel of alerts, or send a delivery of it once more',
    calls: {
      create: 'create_alert_channel',
      update: 'update_alert_channel',
      delete: 'delete_alert_channel',
      test: 'test_alert_channel',
      replay_delivery: 'replay_alert_delivery',
    },
  },
  save_alert_rule: {
    about: 'Add, change or remove a rule of alerts: a figure, and when it is worth an alert',
    calls: { create: 'create_alert_rule', update: 'update_alert_rule', delete: 'delete_alert_rule' },
  },
  save_report_schedule: {
    about: 'Schedule a report for people of the company, change or remove a schedule, or send its report now',
    calls: {
      create: 'create_report_schedule',
      update: 'update_report_schedule',
      delete: 'delete_report_schedule',
      send_now: 'send_report_now',
    },
  },
  manage_postbacks: {
    about:
      'Replace the secret of postback addresses, send a test install, or set how postbacks of a partner are checked',
    calls: {
      rotate_secret: 'rotate_postback_secret',
      test: 'test_postback',
      update_source: 'update_postback_source',
    },
  },
};
