import type { FrequencyCap, PeopleWithoutId } from '@bidwell/contract/frequency/caps';
import type { PlayableExit } from '@bidwell/contract/creatives/playable-exits';
import type { SkOverlay } from '@bidwell/contract/adsets/app-store';
import type { Adset, AdsetStatus, AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { Algorithm, CountryGoal, GoalWindow } from '@bidwell/contract/adsets/goals';
import type { BidMultiplier } from '@bidwell/contract/adsets/multipliers';
import type { CountrySettings } from '@bidwell/contract/adsets/country-settings';
import type { Hours, HoursZone } from '@bidwell/contract/adsets/hours';
import type { PayerRule } from '@bidwell/contract/apps/event-settings';
import type { ModerationStatus } from '@bidwell/contract/apps/schema';
import type { Mmp, Os } from '@bidwell/contract/apps/fields';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { CampaignStatus } from '@bidwell/contract/campaigns/schema';
import type { Change, ChangeAction, EntityType } from '@bidwell/contract/changes/schema';
import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import type { ProcessState } from '@bidwell/contract/operator/health';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import type { TransactionKind, TransactionStatus } from '@bidwell/contract/finance/schema';
import type { BrandSettings } from '@bidwell/contract/branding/schema';
import type { BillingDetails, InvoiceKind, InvoiceSettings } from '@bidwell/contract/invoices/schema';
import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import type { Micros } from '@bidwell/contract/lib/money';
import type { NotificationSeverity } from '@bidwell/contract/notifications/severity';
import type { AudienceWithoutId } from '@bidwell/contract/audiences/use';
import type {
  AudienceImportTable,
  AudienceMatchTable,
  AudienceTable,
  AudienceUploadTable,
} from './audience-tables.ts';
import type { ExchangeReviewAccountTable, ExchangeReviewTable } from './exchange-review-tables.ts';
import type {
  ChargeOn,
  DeviceNotices,
  PriceFormat,
  SspInput,
  UnreadablePriceRule,
} from '@bidwell/contract/operator/schema';
import type { ApprovalState } from '@bidwell/contract/approvals/schema';
import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { ApiScope } from '@bidwell/contract/accounts/scope';
import type { OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import type { AppleFramework, CoarseValue } from '@bidwell/contract/skadnetwork/postbacks';
import type { ConversionRule } from '@bidwell/contract/skadnetwork/conversion-values';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import type { ColumnType, Generated } from 'kysely';
import type {
  AlertChannelTable,
  AlertDeliveryTable,
  AlertMailItemTable,
  AlertOutboxTable,
  AlertPreferenceTable,
  AlertRuleTable,
} from './alert-tables.ts';
import type { MessageTable } from './message-table.ts';
import type {
  ReportDeliveryTable,
  ReportDestinationTable,
  ReportRunTable,
  ReportScheduleTable,
} from './report-schedule-tables.ts';
import type {
  PartnerCostDayTable,
  PartnerCostUploadTable,
  PartnerCostsTable,
  PostbackCopyTable,
  PostbackCopyTargetTable,
} from './partner-delivery-tables.ts';
import type { WarehouseExportTable, WarehouseRunTable } from './warehouse-tables.ts';

/** A JSON column: read as a value, written as text (see `json` in ./client.ts). */
type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

/** The fields of an app that are reviewed. */
export interface AppVersion {
  name: string;
  os: Os;
  store_link: string;
  bundle_id: string;
  icon_link: string | null;
}

/** The fields of a creative and its asset that are reviewed. */
export interface CreativeVersion {
  title: string;
  sponsor: string;
  /** Null where it is not a native creative. */
  description: string | null;
  click_url: string | null;
  view_url: string | null;
  banner_file_uuid: string | null;
}

/** The texts that a group gives native creatives without texts of their own. */
export interface NativeTexts {
  native_title: string;
  native_description: string;
  native_sponsor: string;
}

/** The tables of PostgreSQL. Columns ending in `_micros` are bigint, read as numbers. */
export interface Schema {
  companies: CompanyTable;
  postback_sources: PostbackSourceTable;
  company_versions: { company_uuid: string; version: string };
  users: UserTable;
  memberships: MembershipTable;
  invitations: InvitationTable;
  /** Digests of addresses and identities that people of a company had, by which the company recognizes people who left. */
  people_marks: { company_uuid: string; user_uuid: string; mark: string; noted_at: Date };
  campaign_drafts: CampaignDraftTable;
  approval_requests: ApprovalRequestTable;
  comments: CommentTable;
  sso_providers: SsoProviderTable;
  sso_domains: SsoDomainTable;
  sso_sign_ins: SsoSignInTable;
  sso_identities: SsoIdentityTable;
  refresh_tokens: RefreshTokenTable;
  sessions: SessionTable;
  recovery_codes: { account_uuid: string; code_hash: string; created_at: Date };
  login_steps: LoginStepTable;
  passkeys: PasskeyTable;
  /** Challenges that a passkey answered, until they expire. */
  answered_challenges: { challenge_hash: string; expires_at: Date };
  known_devices: { account_uuid: string; device_hash: string; last_used_at: Date };
  viewer_sessions: ViewerSessionTable;
  captcha_passes: CaptchaPassTable;
  password_resets: PasswordResetTable;
  api_tokens: ApiTokenTable;
  assistant_confirmations: AssistantConfirmationTable;
  anomaly_checks: { company_uuid: string; hour: Date; found: string[] };
  files: FileTable;
  apps: AppTable;
  app_event_windows: AppEventWindowTable;
  app_event_names: AppEventNameTable;
  app_revenue_sources: { app_uuid: string; company_uuid: string; purchases: boolean; ad_revenue: boolean };
  conversion_value_versions: ConversionValueVersionTable;
  install_postbacks: InstallPostbackTable;
  rejected_install_postbacks: RejectedInstallPostbackTable;
  device_erasures: DeviceErasureTable;
  erased_ids: { hash: string };
  erasure_hashes: { erasure_uuid: string; hash: string };
  skadnetwork_networks: SkadnetworkNetworkTable;
  skadnetwork_exchanges: { slug: string };
  /** `item_id`: the number in the store that an operator switched on. */
  skadnetwork_apps: { app_uuid: string; company_uuid: string; item_id: number };
  source_identifiers: SourceIdentifierTable;
  /** `day`: YYYY-MM-DD, UTC. */
  skadnetwork_requests: { slug: string; day: string; outcome: SkadnetworkOutcome; requests: number };
  erasure_keys: { one: ColumnType<boolean, never, never>; key: Buffer };
  internal_creatives: InternalCreativeTable;
  creatives: CreativeTable;
  creative_groups: CreativeGroupTable;
  creative_group_creatives: { creative_group_uuid: string; creative_uuid: string };
  targets: TargetTable;
  tracking_links: TrackingLinkTable;
  audiences: AudienceTable;
  audience_imports: AudienceImportTable;
  audience_matches: AudienceMatchTable;
  audience_uploads: AudienceUploadTable;
  adsets: AdsetTable;
  adset_creative_groups: { adset_uuid: string; creative_group_uuid: string };
  campaigns: CampaignTable;
  messages: MessageTable;
  notifications: NotificationTable;
  alert_outbox: AlertOutboxTable;
  alert_channels: AlertChannelTable;
  alert_deliveries: AlertDeliveryTable;
  alert_rules: AlertRuleTable;
  alert_settings: { company_uuid: string; balance_low_micros: Micros | null };
  operator_alerts: { kind: string; mailed_at: Date };
  alert_preferences: AlertPreferenceTable;
  alert_mail_items: AlertMailItemTable;
  report_schedules: ReportScheduleTable;
  report_runs: ReportRunTable;
  report_destinations: ReportDestinationTable;
  partner_costs: PartnerCostsTable;
  partner_cost_days: PartnerCostDayTable;
  partner_cost_uploads: PartnerCostUploadTable;
  postback_copy_targets: PostbackCopyTargetTable;
  postback_copies: PostbackCopyTable;
  report_deliveries: ReportDeliveryTable;
  warehouse_exports: WarehouseExportTable;
  warehouse_runs: WarehouseRunTable;
  changes: ChangeTable;
  ledger_transactions: LedgerTransactionTable;
  ledger_entries: LedgerEntryTable;
  /** The last check of the ledger, as the operator's API returns it. */
  ledger_checks: { uuid: string; result: Json<object>; created_at: Date };
  ssps: SspTable;
  exchange_review_accounts: ExchangeReviewAccountTable;
  exchange_reviews: ExchangeReviewTable;
  /** Creatives whose bid exceeds the longest response that an exchange accepts. */
  oversized_creatives: { creative_uuid: string; slug: string; company_uuid: string; seen_at: Date };
  /** Billing ids of companies at exchanges that bill each buyer, such as Google Authorized Buyers. */
  exchange_billing_ids: { slug: string; company_uuid: string; billing_id: string };
  /** Dollars for one unit of a currency. */
  currency_rates: { currency: string; dollars: number; updated_at: Generated<Date> };
  idempotency_keys: IdempotencyKeyTable;
  operator_idempotency_keys: Omit<IdempotencyKeyTable, 'company_uuid'>;
  adset_spend: AdsetSpendTable;
  adset_pace: { adset_uuid: string; state: Json<object> };
  country_spend: CountrySpendTable;
  /** `ended`: its heartbeat has been missing for so long that only the reservations of its bids are still leased. */
  bidders: { uuid: string; seen_at: Date; ended: Generated<boolean> };
  budget_leases: BudgetLeaseTable;
  /** Leases of the daily budgets of countries. */
  country_leases: Omit<BudgetLeaseTable, 'company_uuid'> & { country: string };
  bid_outcomes: BidOutcomeTable;
  /** Bids of ended bidders that were charged or lost since. */
  ended_bids: { bid_id: string; at: Generated<Date> };
  bidding_changes: { id: Generated<number>; kind: string; at: Generated<Date> };
  booked_batches: { batch: string };
  unused_files: { uuid: string; since: Generated<Date> };
  event_counters: { uuid: string; stream: string; seen_at: Generated<Date> };
  event_partitions: EventPartitionTable;
  leaders: { name: string; holder: string; epoch: number; held_until: Date };
  /** One row per running process; `digests` by the name of the secret. */
  process_secrets: { process: string; digests: Json<Record<string, string>>; seen_at: Generated<Date> };
  shared_secrets: { name: string; value: string; created_at: Generated<Date> };
  /** `span`: days of the viewed range, rounded up to a few lengths. */
  adset_findings: { adset_uuid: string; span: number; causes: string[] };
  tracking_hosts: {
    origin: string;
    checked_at: Date;
    /** Checks in a row that failed. */
    failures: number;
    failing_since: Date | null;
  };
  traffic_offers: { adset_uuid: string; day: string; offers: (number | null)[] };
  operators: OperatorTable;
  bidding_stop: BiddingStopTable;
  payment_instructions: PaymentInstructionsTable;
  brand: { one: Generated<true>; settings: Json<BrandSettings>; logo_sha256: string | null };
  brand_logos: BrandLogoTable;
  invoice_settings: { one: Generated<true>; settings: Json<InvoiceSettings> };
  billing_details: {
    company_uuid: string;
    details: Json<BillingDetails>;
    /** As for a person. */
    email_confirmed_at: Generated<Date | null>;
  };
  /** How many mails of a kind an address got on a day in UTC. */
  mail_counts: { address_digest: string; kind: string; day: string; count: number };
  /** Units of a currency for a dollar on a day, times a million. */
  invoice_rates: { currency: string; day: string; per_dollar_millionths: number; source: string };
  invoice_numbers: { prefix: string; year: number; last: number };
  invoices: InvoiceTable;
  process_states: ProcessStateTable;
  exchange_minutes: ExchangeMinuteTable;
  publisher_pages: {
    bundle: string;
    name: string | null;
    icon_link: string | null;
    fetched_at: Date;
    app_ads: string[] | null;
  };
  forecasts: ForecastTable;
  operator_sessions: OperatorSessionTable;
  operator_acts: AuditEntryTable;
  wrong_codes: { account_uuid: string; count: number; last_at: Date };
}

/** A postback of SKAdNetwork or AdAttributionKit; of no company if no company is known to advertise the app. */
interface InstallPostbackTable {
  framework: AppleFramework;
  transaction_id: string;
  sequence_index: number;
  received_at: Date;
  company_uuid: string | null;
  app_uuid: string | null;
  adset_uuid: string | null;
  item_id: string;
  network_id: string;
  source_identifier: string;
  version: string;
  conversion_type: string;
  source_app_id: string | null;
  source_domain: string | null;
  fidelity: number | null;
  did_win: boolean;
  fine_value: number | null;
  coarse_value: CoarseValue | null;
  country: string | null;
  /** As the device sent it; null for postbacks that an earlier release stored. */
  body: Generated<Buffer | null>;
}

/** Counts of such postbacks that are not counted, by day (UTC) and the app that they name. */
interface RejectedInstallPostbackTable {
  day: string;
  item_id: string;
  reason: string;
  count: number;
  last_at: Date;
}

/** The meaning of an app's conversion values from a day on, YYYY-MM-DD. */
interface ConversionValueVersionTable {
  app_uuid: string;
  valid_from: string;
  company_uuid: string;
  rules: Json<ConversionRule[]>;
}

/** The forecast of an ad set between two instants, a day of its company, and the result. */
export interface ForecastTable {
  company_uuid: string;
  adset_uuid: string;
  starts_at: Date;
  ends_at: Date;
  /** Version of the method that made the forecast. */
  method: number;
  made_at: Date;
  impressions: number;
  impressions_low: number;
  impressions_high: number;
  spend_micros: Micros;
  spend_low_micros: Micros;
  spend_high_micros: Micros;
  installs: number;
  installs_low: number;
  installs_high: number;
  /** Null until the day is over. */
  actual_impressions: number | null;
  actual_spend_micros: Micros | null;
  actual_installs: number | null;
  compared_at: Date | null;
}

/** How far a partition of the event stream is counted, and by which process. */
interface EventPartitionTable {
  stream: string;
  partition: number;
  epoch: Generated<number>;
  owner: string | null;
  booked_seq: Generated<number>;
  stored_seq: Generated<number>;
  stored_message: Json<{ seq: number; atMs: number | null }> | null;
  booked_message: Json<{ seq: number; atMs: number | null }> | null;
  round: Json<{ id: string; months: string[] }> | null;
}

interface Owned {
  uuid: string;
  company_uuid: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** An entity that an advertiser may archive; null while it is not archived. */
interface Archivable extends Owned {
  archived_at: Generated<Date | null>;
}

export interface CompanyTable {
  uuid: string;
  name: string;
  /** IANA name: the days of budgets and reports. */
  time_zone: Generated<string>;
  /** In the path of the measurement partners' postbacks. */
  postback_secret: string;
  /** The previous secret, valid until the instant in the next column. */
  postback_secret_previous: Generated<string | null>;
  postback_secret_previous_until: Generated<Date | null>;
  postback_secret_rotated_at: Generated<Date | null>;
  suspended_at: Date | null;
  /** Whether people without a second factor have to set one up before anything else. */
  second_factor_required: Generated<boolean>;
  /** As the operator gave it; empty while the company is active. */
  suspension_reason: Generated<string>;
  /** How far below zero its balance may go. */
  credit_limit_micros: Generated<Micros>;
  /** Budgets of a campaign above which a second person has to approve; null for none. */
  approval_daily_micros: Generated<Micros | null>;
  approval_total_micros: Generated<Micros | null>;
  /** Margin on the media cost; the company never sees it. */
  margin_basis_points: Generated<number>;
  /** Operators' notes; the company never sees them. */
  notes: Generated<string>;
  /** Bytes of files that it may store; null for the quota of the settings. */
  storage_quota_bytes: Generated<number | null>;
  created_at: Generated<Date>;
}

/** How a company checks the postbacks of a measurement partner. */
export interface PostbackSourceTable {
  company_uuid: string;
  mmp: Mmp;
  /** `address` or `address/bits`; empty for any. */
  networks: Generated<string[]>;
  /** The partner's token, or the key that it signs with. */
  secret: string | null;
}

/** A person. `company_uuid` is the company in which they registered or were first invited; {@link MembershipTable} says where they are. */
export interface UserTable extends Owned {
  login: string;
  email: string;
  /** When its holder opened the link that was sent there; until then the server sends nothing else. */
  email_confirmed_at: Generated<Date | null>;
  password_hash: string;
  first_name: string;
  last_name: string;
  contact: string;
  avatar_file_uuid: string | null;
  /**
   * The password is a one-time one and is accepted until then: its one use ends this. Null for a password that its
   * owner chose.
   */
  one_time_password_until: Generated<Date | null>;
  /** As an operator's, but people may have none. */
  totp_secret: Generated<string | null>;
  totp_enrolled: Generated<boolean>;
  totp_last_step: Generated<number>;
}

/** The membership of a person in a company. */
export interface MembershipTable {
  company_uuid: string;
  user_uuid: string;
  role: CompanyRole;
  created_at: Date;
}

/** An invitation of a mail address to a company. Open until one of the times is set, or past. */
export interface InvitationTable {
  uuid: string;
  company_uuid: string;
  email: string;
  role: CompanyRole;
  /** Hash of the token in the link. */
  token_hash: string;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  accepted_at: Date | null;
}

/** Budgets of an ad set in micros, as a request for approval has them; null is unlimited. */
export interface ApprovedBudget {
  uuid: string;
  name: string;
  daily_budget_micros: Micros | null;
  all_budget_micros: Micros | null;
}

/** What a request for approval changes: absent fields stay unchanged. */
export interface RequestedChange {
  start: boolean;
  adsets: readonly {
    uuid: string;
    status?: 'Active';
    daily_budget_micros?: Micros | null;
    all_budget_micros?: Micros | null;
  }[];
}

/** A request that a second person approves budgets of a campaign. */
export interface ApprovalRequestTable {
  uuid: string;
  company_uuid: string;
  campaign_uuid: string;
  state: ApprovalState;
  change: Json<RequestedChange>;
  /** Budgets of the ad sets that run after the approval, and of the ad sets that ran at the request. */
  budgets: Json<readonly ApprovedBudget[]>;
  before: Json<readonly ApprovedBudget[]>;
  /** SHA-256 of the change and of `budgets`. */
  hash: string;
  note: string;
  reason: Generated<string>;
  /** Null where the person is deleted, or no decision was made. */
  requested_by: string | null;
  decided_by: string | null;
  created_at: Date;
  expires_at: Date;
  decided_at: Date | null;
}

/** The entered values of the form of a campaign that is not created yet. */
export interface CampaignDraftTable {
  uuid: string;
  company_uuid: string;
  /** As far as it is typed. */
  name: string;
  /** The values of the form, as JSON. */
  values_json: string;
  /** One more with each change. */
  version: number;
  /** Null where the person is deleted. */
  created_by: string | null;
  updated_by: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A comment by a user on a campaign, or on the draft of one. */
export interface CommentTable {
  uuid: string;
  company_uuid: string;
  /** One of the two is null. */
  campaign_uuid: string | null;
  draft_uuid: string | null;
  /** Null where the person is deleted. */
  author_uuid: string | null;
  text: string;
  /** Ids of people. */
  mentions: string[];
  created_at: Date;
  edited_at: Date | null;
}

/** How the people of a company sign in by OpenID Connect. */
export interface SsoProviderTable {
  company_uuid: string;
  issuer: string;
  client_id: string;
  /** Encrypted; null where its key was lost. */
  client_secret: string | null;
  role: CompanyRole;
  may_join: boolean;
  is_required: boolean;
  updated_at: Date;
}

/** A mail domain that a company lists; it is of the one company for which `verified_at` is set. */
export interface SsoDomainTable {
  uuid: string;
  company_uuid: string;
  domain: string;
  /** Token of the DNS TXT record. It is public there, so it is no secret. */
  token: string;
  verified_at: Date | null;
  created_at: Date;
  /** When it was last looked for the record of a proven domain, and when it was last there. */
  record_checked_at: Generated<Date | null>;
  record_seen_at: Generated<Date | null>;
  /** When the owners were last notified that it is gone. */
  record_notified_at: Generated<Date | null>;
}

/** A sign-in under way at a provider. The browser that began it has the secret of `browser_hash` in a cookie. */
export interface SsoSignInTable {
  state_hash: string;
  browser_hash: string;
  company_uuid: string;
  issuer: string;
  /** The person who links their account; null for a sign-in. */
  link_user_uuid: string | null;
  created_at: Date;
  expires_at: Date;
}

/** Who a subject of a company's issuer is. It is of one company, so that no other one's provider signs them in. */
export interface SsoIdentityTable {
  company_uuid: string;
  issuer: string;
  subject: string;
  user_uuid: string;
  created_at: Date;
}

export interface RefreshTokenTable {
  uuid: string;
  /** All tokens that descend from one login. */
  family_uuid: string;
  user_uuid: string;
  token_hash: string;
  created_at: Generated<Date>;
  expires_at: Date;
  spent_at: Date | null;
  revoked_at: Date | null;
  /** Time of the login that the token descends from. */
  logged_in_at: Generated<Date>;
  /** The company that the session acts for; null in rows of earlier releases, where it is the person's own one. */
  company_uuid: string | null;
  /** Whether single sign-on began the session, which is of that company only then. */
  by_sso: Generated<boolean>;
}

/** A login whose password was right and whose second factor is awaited. */
export interface LoginStepTable {
  /** Hash of the token in the cookie. */
  token_hash: string;
  user_uuid: string;
  /** The hash of the password's hash: another password ends the login. */
  password_mark: string;
  created_at: Date;
  expires_at: Date;
}

/** A passkey of a person or an operator. */
export interface PasskeyTable {
  uuid: string;
  account_uuid: string;
  /** The authenticator's id of it, base64url. */
  credential_id: string;
  /** The COSE key, base64url. */
  public_key: string;
  /** The greatest signature counter that the authenticator has sent; 0 for authenticators that do not count. */
  sign_count: number;
  transports: string[];
  synced: boolean;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** Details of a session of a person or an operator, by the id of its login; sessions of earlier releases have none. */
export interface SessionTable {
  uuid: string;
  account_uuid: string;
  user_agent: string;
  /** Where the last login or renewal came from. */
  address: string;
  started_at: Date;
  /** Written once in some minutes at most. */
  last_used_at: Date;
  /** When the caller last proved who they are, at the login or later. */
  confirmed_at: Date;
}

/** A read-only session of an operator in the console of a company. */
export interface ViewerSessionTable {
  uuid: string;
  /** Null for the holder of OPERATOR_TOKEN. */
  operator_uuid: string | null;
  company_uuid: string;
  /** The person whose view it is. */
  user_uuid: string;
  /** Hash of the code that opens it, once. */
  code_hash: string;
  opened_at: Date | null;
  ended_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

export interface ApiTokenTable {
  uuid: string;
  company_uuid: string;
  /** The user who created it. */
  user_uuid: string;
  name: string;
  token_hash: string;
  /** The last four characters, shown to identify it. */
  ending: string;
  scopes: Generated<ApiScope[]>;
  calls_per_minute: Generated<number>;
  created_at: Date;
  /** Null for one that does not expire. */
  expires_at: Date | null;
  last_used_at: Date | null;
  /** The first 64 bits of an IPv6 one. */
  last_used_address: string | null;
  revoked_at: Date | null;
}

/** A change that an assistant proposed. */
export interface AssistantConfirmationTable {
  hash: string;
  company_uuid: string;
  key_uuid: string;
  /** Hash of the tool, its arguments and the state of the entity that it changes. */
  fingerprint: string;
  created_at: Date;
  expires_at: Date;
}

export interface CaptchaPassTable {
  /** Hash of the pass in the cookie. */
  pass_hash: string;
  /** Hash of the solved challenge: one challenge makes one pass. */
  challenge_hash: string;
  expires_at: Date;
  spent_at: Date | null;
}

export interface PasswordResetTable {
  /** Hash of the token in the mail. */
  token_hash: string;
  user_uuid: string;
  created_at: Date;
  expires_at: Date;
}

export interface FileTable {
  uuid: string;
  company_uuid: string;
  content_type: string;
  extension: string;
  size_bytes: number;
  sha256: string;
  width: number | null;
  height: number | null;
  duration_ms: number | null;
  created_at: Generated<Date>;
}

export interface AppTable extends Archivable {
  name: string;
  description: string;
  os: Os;
  store_link: string;
  bundle_id: string;
  /** The number in the App Store, which PostgreSQL takes from the store link; null where that has none. */
  store_item_id: ColumnType<number | null, never, never>;
  size_in_kb: number | null;
  mobile_measurement_partner: Mmp;
  iab_category: string;
  rating: number | null;
  icon_link: string | null;
  advertiser_domain: Generated<string | null>;
  /** When the server asked the company for the domain of an app that runs without one. */
  domain_asked_at: Generated<Date | null>;
  status: ModerationStatus;
  rejection_reason: string | null;
  /** The reviewed fields as they run while newer ones are not approved. */
  approved: NullableJson<AppVersion>;
  deleted_at: Date | null;
}

interface AppEventNameTable {
  company_uuid: string;
  app_uuid: string;
  name: string;
  first_seen_at: Date;
  /** Shown in place of the name. */
  label: Generated<string | null>;
  /** Whether choices of events offer it. */
  offered: Generated<boolean>;
  payer: Generated<PayerRule>;
}

export interface InternalCreativeTable extends Owned {
  name: string;
  type: CreativeType;
  description: string;
  sponsor: string;
  title: string;
  width: number | null;
  height: number | null;
  duration_ms: number | null;
  banner_file_uuid: string | null;
  video_file_uuid: string | null;
  playable_file_uuid: string | null;
  /** The external URLs that a playable loads. */
  external_loads: ColumnType<string[] | null, string | null | undefined, string | null>;
  /** How a playable's page leads to the store. */
  exits: ColumnType<PlayableExit[] | null, string | null | undefined, string | null>;
}

export interface CreativeTable extends Archivable {
  app_uuid: string;
  internal_creative_uuid: string;
  click_url: string | null;
  view_url: string | null;
  status: ModerationStatus;
  rejection_reason: string | null;
  /** The reviewed fields as they run while newer ones are not approved. */
  approved: NullableJson<CreativeVersion>;
  labels: Generated<string[]>;
}

export interface CreativeGroupTable extends Archivable {
  name: string;
  description: string;
  /** Whether its creatives are paused; the status in the API follows from this and from their moderation. */
  paused: Generated<boolean>;
  native_title: string;
  native_description: string;
  native_sponsor: string;
  /** Review of the native texts. */
  texts_status: Generated<ModerationStatus>;
  rejection_reason: Generated<string | null>;
  /** The reviewed fields as they run while newer ones are not approved. */
  approved: NullableJson<NativeTexts>;
}

export interface TargetTable extends Archivable {
  app_uuid: string;
  name: string;
  description: string;
  settings: Json<TargetSettings>;
}

export interface DeviceErasureTable {
  uuid: string;
  id_hash: string;
  /** Encrypted; null once the erasure is finished. */
  device_id: string | null;
  requested_at: Date;
  /** When all that was stored then was removed; null before. */
  removed_at: Generated<Date | null>;
  finished_at: Generated<Date | null>;
  /** When it was revoked: later postbacks count again. */
  revoked_at: Generated<Date | null>;
  postbacks: Generated<number>;
  events: Generated<number>;
  clicks: Generated<number>;
  audiences: Generated<number>;
}

/** An ad network of the installation, registered with Apple. */
export interface SkadnetworkNetworkTable {
  id: string;
  /** PKCS#8 PEM, encrypted (encrypted-columns.ts); null once its key was lost. */
  private_key: string | null;
  /** SPKI, Base64. */
  public_key: string;
  /** In the IAB Tech Lab's list. */
  iab_number: number | null;
  development_postbacks: Generated<boolean>;
  created_at: Generated<Date>;
  changed_at: Generated<Date>;
}

/** A number by which postbacks of an app in the store name an ad set. */
export interface SourceIdentifierTable {
  uuid: string;
  company_uuid: string;
  item_id: number;
  number: number;
  adset_uuid: string;
  allocated_at: Date;
  /** To within a few minutes; null before the first bid. */
  last_bid_at: Generated<Date | null>;
  /** When the number was taken for another ad set; null while it is this one's. */
  released_at: Generated<Date | null>;
}

export interface TrackingLinkTable extends Archivable {
  app_uuid: string;
  name: string;
  description: string;
  click_url: string;
  view_url: string;
  /** Review of the destination of clicks. */
  status: Generated<ModerationStatus>;
  rejection_reason: Generated<string | null>;
  /** The reviewed fields as they run while newer ones are not approved. */
  approved: NullableJson<{ click_url: string }>;
}

export interface AdsetTable extends Archivable {
  /** An ad set belongs to one campaign at most. */
  campaign_uuid: string | null;
  target_uuid: string;
  tracking_link_uuid: string;
  name: string;
  description: string;
  status: AdsetStatus;
  algo: Algorithm;
  bet_cpm_micros: Micros;
  bet_cpi_micros: Micros | null;
  goal_event: string | null;
  cpa_micros: Micros | null;
  roas_percent: number | null;
  goal_window_days: Generated<GoalWindow>;
  /** Dollars or percent, as the strategy has its goal. */
  goals_by_country: ColumnType<CountryGoal[], string | undefined, string>;
  product_page_id: Generated<string | null>;
  overlay: NullableJson<SkOverlay>;
  frequency_caps: ColumnType<FrequencyCap[], string | undefined, string>;
  people_without_id: Generated<PeopleWithoutId>;
  deep_link: string | null;
  hours: NullableJson<Hours>;
  hours_zone: Generated<HoursZone>;
  bid_multipliers: ColumnType<BidMultiplier[], string | undefined, string>;
  countries: ColumnType<CountrySettings[], string | undefined, string>;
  audience_include: ColumnType<Adset['audience_include'], string | undefined, string>;
  audience_exclude: ColumnType<Adset['audience_exclude'], string | undefined, string>;
  audience_without_id: Generated<AudienceWithoutId>;
  exclude_installed: Generated<boolean>;
  daily_budget_micros: Micros | null;
  all_budget_micros: Micros | null;
  black_list_bundles: Json<Adset['black_list_bundles']>;
  white_list_bundles: Json<Adset['white_list_bundles']>;
  /** Bundle to CPM in micros. */
  bundle_bids: Json<Record<string, Micros>>;
  /** Size of the three as JSON; null for a row that an earlier release wrote. */
  bundle_bytes: Generated<number | null>;
  /** Numbers of their bundles; null for a row that an earlier release wrote. */
  bundle_counts: ColumnType<AdsetSummary['bundle_counts'] | null, string | undefined, string>;
}

export interface AppEventWindowTable {
  app_uuid: string;
  company_uuid: string;
  click_days: number;
  view_days: number;
  /** Null is the longest. */
  re_engagement_click_days: Generated<number | null>;
  re_engagement_view_days: Generated<number | null>;
}

export interface CampaignTable extends Archivable {
  kind: ColumnType<CampaignKind, CampaignKind | undefined, never>;
  app_uuid: string;
  name: string;
  description: string;
  /** YYYY-MM-DD. */
  start_date: string | null;
  end_date: string | null;
  /** HH:MM. */
  start_time: Generated<string | null>;
  end_time: Generated<string | null>;
  status: CampaignStatus;
  start_when_approved: Generated<boolean>;
  frequency_caps: ColumnType<FrequencyCap[], string | undefined, string | undefined>;
}

export interface NotificationTable {
  uuid: string;
  company_uuid: string;
  /** The person whose own notification it is; null for one to the whole company. */
  user_uuid: Generated<string | null>;
  kind: string;
  title: string;
  text: string;
  entity_type: EntityType | null;
  entity_uuid: string | null;
  read_at: Date | null;
  /** Null for notifications of releases that did not store it. */
  severity: Generated<NotificationSeverity | null>;
  /** Unique in a company; null for notifications that may repeat. */
  once_key: Generated<string | null>;
  created_at: Generated<Date>;
}

export interface ChangeTable {
  uuid: string;
  company_uuid: string;
  user_uuid: string | null;
  author: string;
  entity_type: EntityType;
  entity_uuid: string;
  entity_name: string;
  action: ChangeAction;
  fields: Json<Change['fields']>;
  created_at: Generated<Date>;
}

/** A change of a company's balance, as people see it; its entries are in {@link LedgerEntryTable}. */
/** An invoice or a credit note; rows are never changed. */
export interface InvoiceTable {
  uuid: string;
  company_uuid: string;
  kind: InvoiceKind;
  /** Prefix, year and sequence as printed. */
  number: string;
  prefix: string;
  year: number;
  sequence: number;
  /** YYYY-MM of an invoice; null of a credit note, as the period is. */
  month: string | null;
  /** The charges of an invoice: `from` inclusive, `before` exclusive. */
  period_from: Date | null;
  period_before: Date | null;
  /** For a credit note: its invoice. */
  corrects_uuid: string | null;
  /** The charge of an invoice in the ledger's unit; 0 for a credit note. */
  charged_micros: Micros;
  net_cents: number;
  tax_cents: number;
  snapshot: Json<InvoiceSnapshot>;
  /** The logo on it. */
  logo_sha256: string | null;
  issued_at: Date;
}

/** A logo in all forms in which it is shown, as PNG. */
export interface BrandLogoTable {
  /** Hash of the image for screens. */
  sha256: string;
  width: number;
  height: number;
  screen: Buffer;
  /** A square one. */
  icon: Buffer;
  /** On white, without transparency. */
  print: Buffer;
}

export interface LedgerTransactionTable extends Owned {
  kind: TransactionKind;
  status: TransactionStatus;
  /** Signed: above 0 raises the company's balance. */
  amount_micros: Micros;
  description: string;
  /** For spend: its campaign and hour, which are unique together. */
  campaign_uuid: string | null;
  hour: Date | null;
  /** For the spend of a whole month, which `hour` is the first hour of: the end of the month. */
  hours_until: Generated<Date | null>;
  /** For spend: the part of the debit that is margin; the company never sees it. */
  margin_micros: Generated<Micros>;
}

/** Double entry: the entries of one transaction always sum to zero. */
export interface LedgerEntryTable {
  uuid: string;
  transaction_uuid: string;
  company_uuid: string;
  account: LedgerAccount;
  amount_micros: Micros;
  created_at: Generated<Date>;
}

/**
 * `wallet` is the company's balance; `funding` where its money comes from; `media` the amount owed to exchanges; `margin` what
 * the operator earns.
 */
export type LedgerAccount = 'wallet' | 'funding' | 'media' | 'margin';

export interface SspTable {
  slug: string;
  name: string;
  /** The exchange whose rules bids follow. */
  profile: Generated<ProfileSlug>;
  charge_on: ChargeOn;
  auction_type: Generated<SspInput['auction_type']>;
  /** Put before a click's address, which is then percent-encoded; '' for none. */
  click_macro: Generated<string>;
  price_macro: Generated<string>;
  loss_macro: Generated<string>;
  price_format: Generated<PriceFormat>;
  decimal_comma: Generated<boolean>;
  /** Base64, encrypted (encrypted-columns.ts); null where prices are not encrypted. */
  price_encryption_key: string | null;
  price_integrity_key: string | null;
  unreadable_price: Generated<UnreadablePriceRule>;
  /** Which of its notices the device calls. */
  device_notices: Generated<DeviceNotices>;
  timeout_ms: number | null;
  requests_per_second: number | null;
  /** The last part of the exchange's address. */
  secret: string | null;
  /** The previous secret, valid until then; '' is an address without one. */
  previous_secret: string | null;
  previous_secret_until: Date | null;
  /** Whether its address works without the secret too. */
  open: Generated<boolean>;
  /** Our seat at the exchange. */
  seat: Generated<string>;
  /** Limit of a bid response in bytes; null is no limit. */
  answer_bytes_max: number | null;
  active: Generated<boolean>;
  created_at: Generated<Date>;
}

/** A person who operates the server. */
export interface OperatorTable {
  uuid: string;
  login: string;
  name: string;
  role: OperatorRole;
  password_hash: string;
  /** Base32, encrypted (encrypted-columns.ts); null before the first login. */
  totp_secret: string | null;
  /** Whether a code of the secret was given, which proves that it is in an authenticator app. */
  totp_enrolled: Generated<boolean>;
  /** The step of the last accepted code: each code is accepted once. */
  totp_last_step: Generated<number>;
  active: Generated<boolean>;
  last_login_at: Date | null;
  created_at: Date;
}

/** The state that a running process reports; a row that was not renewed for a minute belongs to a process that ended. */
export interface ProcessStateTable {
  process: string;
  roles: Json<string[]>;
  version: string;
  started_at: Date;
  state: Json<ProcessState>;
  seen_at: Generated<Date>;
}

/** A process's counts for an exchange in a minute. */
interface ExchangeMinuteTable {
  exchange: string;
  minute: Date;
  /** Id of one run of a process. */
  process: string;
  answered: number;
  bids: number;
  unreadable: number;
  failed: number;
  late: number;
  /** Requests whose country was compared with the country of their address, and those with another one. */
  country_checked: Generated<number>;
  country_mismatched: Generated<number>;
  /** Requests by reason. */
  no_bids: Json<Record<string, number>>;
  /** Responses by bucket of latency; see latency-buckets.ts. */
  latencies: Json<Record<string, number>>;
  wins: number;
  billings: number;
  impressions: number;
  charged: number;
  /** Notices by code. */
  losses: Json<Record<string, number>>;
  spend_micros: number;
  /** Which requests of an exchange with a limit were read; null where it has none, and of earlier releases. See shaping-counts.ts. */
  shaping: NullableJson<object>;
}

/** One row once an operator has written how companies pay. */
export interface PaymentInstructionsTable {
  one: Generated<boolean>;
  instructions: string;
}

/** One row while the operators have stopped all bidding. */
export interface BiddingStopTable {
  one: Generated<boolean>;
  /** The login of who stopped it. */
  operator: string;
  reason: string;
  stopped_at: Date;
}

export interface OperatorSessionTable {
  uuid: Generated<string>;
  token_hash: string;
  operator_uuid: string;
  created_at: Date;
  expires_at: Date;
}

/** An action of an operator. The operator's login is stored, because accounts may be renamed. */
export interface AuditEntryTable {
  uuid: string;
  operator_uuid: string | null;
  operator: string;
  action: string;
  entity: string;
  entity_uuid: string | null;
  name: string;
  company_uuid: string | null;
  reason: string;
  before: NullableJson<Record<string, unknown>>;
  after: NullableJson<Record<string, unknown>>;
  /** Hash of the creative's file, of a decision on a creative. */
  file_sha256: string | null;
  created_at: Date;
}

export interface IdempotencyKeyTable {
  company_uuid: string;
  key: string;
  fingerprint: string;
  /** `running`: begun; `committed`: carried out, response not stored yet; `answered`: response stored. */
  state: 'running' | 'committed' | 'answered';
  answer: ColumnType<object | null, string | null, string | null>;
  claimed_at: Date;
  /** When its request was last seen running; null for one of a release before. */
  renewed_at: Date | null;
}

/** Booked spend of an ad set, in total and in its company's day; never less than the spend of its queryable events. */
export interface AdsetSpendTable {
  adset_uuid: string;
  company_uuid: string;
  ever_micros: Micros;
  day: string;
  day_micros: Micros;
}

/** Booked spend of an ad set in a country for which it has a daily budget, in its company's day. */
export interface CountrySpendTable {
  adset_uuid: string;
  country: string;
  company_uuid: string;
  day: string;
  day_micros: Micros;
  /** State of even pacing. */
  pace: Json<object> | null;
  created_at: Generated<Date>;
}

/** Money that a bidder may still spend on an ad set, including reservations of bids that wait for a notice. */
export interface BudgetLeaseTable {
  adset_uuid: string;
  bidder_uuid: string;
  company_uuid: string;
  micros: Micros;
  /** The part that bids reserve, or may reserve before the bidder's next request; null where an older server wrote it. */
  held_micros: Micros | null;
  /** How long bids may reserve it after the bidder stopped, ms; null where an older server wrote it. */
  held_ms: number | null;
}

/** Outcomes of bids, for their bidder in another process. */
export interface BidOutcomeTable {
  /** The last eight digits of the bidder's uuid and of its bids' ids. */
  bidder_tag: string;
  batch: string;
  at: Date;
  charged: string[];
  lost: string[];
  /** The same bids with their reservations, for the lease of a bidder that has ended. */
  ended_bids: Json<EndedBid[]>;
}

/** A bid that was charged or lost. */
export interface EndedBid {
  bid: string;
  adset: string;
  /** Absent where it is not known, and where an older server wrote it. */
  country?: string;
  micros: Micros;
}
