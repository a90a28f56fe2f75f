import { CONSOLE_API, type Endpoint, OPERATOR_API, addressOf } from '@bidwell/contract/lib/endpoint';
import * as account from '@bidwell/contract/accounts/endpoints';
import * as sso from '@bidwell/contract/accounts/single-sign-on-endpoints';
import { ALERT_KINDS } from '@bidwell/contract/alerts/kinds';
import * as alerts from '@bidwell/contract/alerts/endpoints';
import * as apps from '@bidwell/contract/apps/endpoints';
import * as approvals from '@bidwell/contract/approvals/endpoints';
import * as invoices from '@bidwell/contract/invoices/endpoints';
import { versionOf } from '@bidwell/contract/lib/version';
import * as operator from '@bidwell/contract/operator/endpoints';
import * as partnerCosts from '@bidwell/contract/measurement/partner-cost-endpoints';
import * as postbackCopies from '@bidwell/contract/measurement/postback-copy-endpoints';
import * as postbacks from '@bidwell/contract/postbacks/endpoints';
import { SspInput } from '@bidwell/contract/operator/schema';
import { readOperatorSession } from '@bidwell/contract/operator-accounts/endpoints';
import { DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import { listPeople } from '@bidwell/contract/accounts/people-endpoints';
import { listReportDestinations } from '@bidwell/contract/report-schedules/destination-endpoints';
import * as brands from '@bidwell/contract/operator/brand-endpoints';
import * as operatorInvoices from '@bidwell/contract/operator/invoice-endpoints';
import * as networks from '@bidwell/contract/operator/skadnetwork-endpoints';
import * as schedules from '@bidwell/contract/report-schedules/endpoints';
import * as conversions from '@bidwell/contract/skadnetwork/conversion-value-endpoints';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, notifyManager } from '@tanstack/react-query';
import { RouterProvider, createMemoryHistory, createRootRoute, createRouter } from '@tanstack/react-router';
import { type ReactNode, act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { PartnerCostsForm } from '../features/tracking-links/partner-costs-form.tsx';
import { ChecksForm } from '../features/tracking-links/postback-checks.tsx';
import { Instructions } from '../features/operator-money/payment-instructions-section.tsx';
import { ProfileForm } from '../features/accounts/profile-form.tsx';
import { CompanyForm } from '../features/accounts/company-form.tsx';
import { ApprovalLimitsSection } from '../features/accounts/approval-limits-form.tsx';
import { SsoSettings } from '../features/accounts/sso/sso-settings.tsx';
import { ChannelKindsForm } from '../features/alerts/channel-kinds-form.tsx';
import { LowBalance } from '../features/alerts/low-balance.tsx';
import { MailForm } from '../features/alerts/mail-form.tsx';
import { RuleForm } from '../features/alerts/rule-form.tsx';
import { AppEventSettingsForm } from '../features/apps/app-event-settings-form.tsx';
import { PostbackCopyForm } from '../features/apps/postback-copy-form.tsx';
import { ConversionValuesForm } from '../features/apps/conversion-values-form.tsx';
import { CompanyTermsForm } from '../features/operator-companies/company-terms-form.tsx';
import { TimeZoneDialog } from '../features/operator-companies/time-zone-dialog.tsx';
import { ExchangeForm } from '../features/operator-exchanges/exchange-form.tsx';
import { BillingDetailsForm } from '../features/finances/billing-details-form.tsx';
import { BrandForm } from '../features/operator-brand/brand-form.tsx';
import { NetworkForm } from '../features/operator-skadnetwork/network-form.tsx';
import { InvoiceSettingsForm } from '../features/operator-money/invoice-settings-form.tsx';
import { ScheduleForm } from '../features/reports/scheduled/schedule-form.tsx';
import { endSession, openSession } from '../lib/api/session.ts';
import { queryClient } from '../lib/api/query-client.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// So that what a save draws is drawn within `act`.
notifyManager.setScheduler((flush) => flush());

const uuid = '01890000-0000-7000-8000-000000000001';
const at = '2026-03-01T10:00:00.000Z';
const nothing = () => {};

interface SettingsCase {
  /** The call that saves. */
  save: Endpoint;
  params?: object;
  /** The calls that the form reads, with their responses for this entity. */
  reads: (entity: never) => [Endpoint, unknown][];
  /** The entity as the form first shows it. */
  entity: Record<string, unknown>;
  /** The change of someone else. */
  change: Record<string, unknown>;
  /** The expected fields of the second save; `change` by default. */
  sends?: Record<string, unknown>;
  element: (entity: never) => ReactNode;
}

const party = { legal_name: 'Acme', address: '1 High Street', country: 'GB', tax_id: '' };

const invoicing = {
  ...party,
  payment_text: '',
  invoice_prefix: 'INV',
  credit_note_prefix: 'CN',
  tax_rules: [],
  is_automatic: false,
};
const report = { metrics: ['spends'], event_names: [], levels: { campaign: '' }, filters: {} } as never;
const person = {
  uuid,
  login: 'ada',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'King',
  role: 'owner',
  since: at,
};
const conversionRule = (event: string) => ({
  window: 0,
  fine_from: 0,
  fine_to: 9,
  coarse: null,
  event,
  revenue_from: null,
  revenue_to: null,
});

const cases: Record<string, SettingsCase> = {
  'the profile': {
    save: account.updateUser,
    params: { user_id: uuid },
    reads: (user) => [[account.readUser, user]],
    entity: {
      uuid,
      login: 'ada@example.com',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'King',
      contact: '@ada',
      avatar: null,
      role: 'owner',
      created_at: at,
    },
    change: { contact: '@countess' },
    element: (user) => <ProfileForm user={user} />,
  },
  'the checks of postbacks': {
    save: postbacks.updatePostbackSource,
    params: { mmp: 'adjust' },
    reads: (source) => [[postbacks.readPostbacks, { sources: [source] }]],
    entity: { mmp: 'adjust', networks: ['198.51.100.0/24'], secret_ending: null },
    change: { networks: ['203.0.113.0/24'] },
    element: (source) => <ChecksForm source={source} onDone={nothing} />,
  },
  'costs for a measurement partner': {
    save: partnerCosts.updatePartnerCosts,
    params: { mmp: 'appsflyer' },
    reads: (costs) => [[partnerCosts.listPartnerCosts, { partners: [costs] }]],
    entity: { mmp: 'appsflyer', is_enabled: true, media_source: 'bidwell_int', has_token: true },
    change: { media_source: 'other_int' },
    sends: { is_enabled: true, media_source: 'other_int' },
    element: (costs) => <PartnerCostsForm costs={costs} onDone={nothing} />,
  },
  'copies of postbacks': {
    save: postbackCopies.updatePostbackCopies,
    params: { uuid, mmp: 'kochava' },
    reads: (target) => [[postbackCopies.readPostbackCopies, { targets: [target], copies: [] }]],
    entity: { mmp: 'kochava', is_enabled: false, url: null, adattributionkit_url: null },
    change: { url: 'https://skan.example/postbacks' },
    element: (target) => <PostbackCopyForm appUuid={uuid} target={target} onDone={nothing} />,
  },
  'the payment instructions': {
    save: operator.changePaymentInstructions,
    reads: (instructions) => [[operator.readPaymentInstructions, instructions]],
    entity: { instructions: 'By card.' },
    change: { instructions: 'By bank.' },
    element: (instructions) => <Instructions saved={instructions} />,
  },
  'the company': {
    save: account.updateCompany,
    params: { uid: uuid },
    reads: (company) => [[account.readUser, { uuid, company }]],
    entity: { uuid, name: 'Acme', time_zone: 'UTC', second_factor_required: false },
    change: { time_zone: 'Asia/Tokyo' },
    element: (company) => <CompanyForm company={company} />,
  },
  'approval limits': {
    save: approvals.setApprovalLimits,
    reads: (limits) => [[approvals.readApprovalLimits, limits]],
    entity: { daily_budget_above: 100, total_budget_above: null, people: 2 },
    change: { total_budget_above: 900 },
    element: () => <ApprovalLimitsSection />,
  },
  'single sign-on': {
    save: sso.putSso,
    reads: (settings) => [[sso.readSso, settings]],
    entity: { provider: provider('one', at), domains: [], redirect_uri: 'https://ads.example.com/back' },
    change: { provider: provider('two', '2026-03-02T10:00:00.000Z') },
    sends: { client_id: 'two' },
    element: () => <SsoSettings />,
  },
  'the low balance': {
    save: alerts.saveAlertSettings,
    reads: (settings) => [[alerts.readAlertSettings, settings]],
    entity: { balance_low: 100 },
    change: { balance_low: 250 },
    element: () => <LowBalance />,
  },
  mails: {
    save: alerts.saveAlertPreferences,
    reads: (preferences) => [[alerts.readAlertPreferences, preferences]],
    entity: {
      kinds: [ALERT_KINDS[0]],
      frequency: 'daily',
      daily_hour: 8,
      quiet_from: null,
      quiet_until: null,
      time_zone: 'UTC',
      email: 'ada@example.com',
      is_mailed: true,
    },
    change: { daily_hour: 9 },
    element: (preferences) => <MailForm preferences={preferences} companyName="Acme" />,
  },
  'an alert channel': {
    save: alerts.updateAlertChannel,
    params: { uuid },
    reads: (channel) => [[alerts.listAlertChannels, { channels: [channel] }]],
    entity: {
      uuid,
      type: 'webhook',
      name: 'Pager',
      target: 'https://pager.example.com',
      kinds: [ALERT_KINDS[0]],
      is_enabled: true,
      failing_since: null,
      is_given_up: false,
      delivered_at: null,
      created_at: at,
    },
    change: { name: 'Night pager' },
    element: (channel) => <ChannelKindsForm channel={channel} onDone={nothing} />,
  },
  'an alert rule': {
    save: alerts.updateAlertRule,
    params: { uuid },
    reads: (rule) => [[alerts.listAlertRules, { rules: [rule] }]],
    entity: {
      uuid,
      metric: 'cpi',
      scope: 'company',
      scope_uuid: null,
      scope_name: null,
      days: 3,
      direction: 'above',
      threshold: 6,
      minimum: null,
      hour: null,
      is_enabled: true,
      state: 'unchecked',
    },
    // The switch of the list: the form has no field of it.
    change: { is_enabled: false },
    element: (rule) => <RuleForm rule={rule} onDone={nothing} />,
  },
  'billing details': {
    save: invoices.changeBillingDetails,
    reads: (saved) => [[invoices.readBillingDetails, saved]],
    entity: {
      billing_details: { ...party, email: null, currency: null },
      needs_email_confirmation: false,
    },
    change: { billing_details: { ...party, email: 'bills@example.com', currency: null } },
    sends: { email: 'bills@example.com' },
    element: (saved) => <BillingDetailsForm saved={saved} onDone={nothing} />,
  },
  'event settings': {
    save: apps.updateAppEvents,
    params: { uuid },
    reads: (settings: object) => [[apps.readAppEvents, { ...settings, events: [] }]],
    entity: {
      click_window_days: 180,
      view_window_days: 180,
      re_engagement_click_window_days: 30,
      re_engagement_view_window_days: 30,
      revenue_sources: ['purchases'],
    },
    change: { view_window_days: 1 },
    element: (saved) => <AppEventSettingsForm uuid={uuid} saved={saved} onDirtyChange={nothing} />,
  },
  'conversion values': {
    save: conversions.updateConversionValues,
    params: { uuid },
    reads: (values) => [[conversions.readConversionValues, values]],
    entity: { rules: [conversionRule('trial')], versions: [] },
    change: { rules: [conversionRule('purchase')] },
    element: (saved) => <ConversionValuesForm uuid={uuid} saved={saved} onDirtyChange={nothing} />,
  },
  'a scheduled report': {
    save: schedules.updateReportSchedule,
    params: { uuid },
    reads: (schedule) => [
      [listPeople, { people: [person], invitations: [] }],
      [listReportDestinations, { destinations: [] }],
      [schedules.listReportSchedules, { schedules: [schedule], is_mailed: true }],
    ],
    entity: {
      uuid,
      name: 'Week',
      report,
      format: 'mail',
      frequency: 'weekly',
      weekday: 1,
      hour: 8,
      user_uuids: [uuid],
      unsubscribed_uuids: [],
      destination_uuids: [],
      is_enabled: true,
      next_at: null,
      last_run: null,
      created_at: at,
    },
    // The switch of the list: the form has no field of it.
    change: { is_enabled: false },
    element: (schedule) => <ScheduleForm report={report} schedule={schedule} onDone={nothing} />,
  },
  'the brand': {
    save: brands.changeBrand,
    reads: (brand) => [[brands.readBrand, brand]],
    entity: { settings: DEFAULT_BRAND, logo: null, mail_address: null },
    change: { settings: { ...DEFAULT_BRAND, accent: '#0b7285' } },
    sends: { accent: '#0b7285' },
    element: (brand) => <BrandForm brand={brand} mayChange />,
  },
  'the terms of a company': {
    save: operator.changeCompany,
    params: { uuid },
    reads: (company) => [
      [readOperatorSession, { role: 'admin' }],
      [operator.readCompany, company],
    ],
    entity: { uuid, name: 'Acme', credit_limit: 0, margin_percent: 10, notes: '', balance: 5 },
    change: { notes: 'Pays late' },
    element: (company) => <CompanyTermsForm company={company} />,
  },
  'the time zone of a company': {
    save: operator.changeCompany,
    params: { uuid },
    reads: (company) => [[operator.readCompany, company]],
    entity: { uuid, name: 'Acme', time_zone: 'UTC', notes: '' },
    change: { time_zone: 'Asia/Tokyo' },
    sends: {},
    element: (company) => <TimeZoneDialog company={company} opened onClose={nothing} />,
  },
  'an ad network': {
    save: networks.putNetwork,
    params: { id: 'abcd1234ef.skadnetwork' },
    reads: (network) => [[networks.readSkadnetwork, { networks: [network], exchanges: [] }]],
    entity: {
      id: 'abcd1234ef.skadnetwork',
      iab_number: null,
      development_postbacks: false,
      public_key: '',
      has_private_key: true,
      created_at: at,
      changed_at: at,
    },
    change: { iab_number: 12 },
    element: (network) => <NetworkForm network={network} onDone={nothing} />,
  },
  'invoice settings': {
    save: operatorInvoices.changeInvoiceSettings,
    reads: (saved) => [[operatorInvoices.readInvoiceSettings, saved]],
    entity: { settings: invoicing },
    change: { settings: { ...invoicing, is_automatic: true } },
    sends: { is_automatic: true },
    element: ({ settings }: never) => <InvoiceSettingsForm settings={settings} onDone={nothing} />,
  },
  'an exchange': {
    save: operator.putExchange,
    params: { slug: 'fox' },
    reads: (exchange) => [[operator.listExchanges, { ssps: [exchange], bid_url: '' }]],
    entity: {
      ...SspInput.parse({ name: 'Fox', profile: 'openrtb' }),
      slug: 'fox',
      secret: 'secret',
      has_price_keys: false,
      path: '/bid/fox/secret',
      previous_secret_until: null,
      profile_changes: [],
    },
    // Its switch: the form has no field of it.
    change: { active: false },
    element: (exchange) => <ExchangeForm exchange={exchange} mayChange />,
  },
};
function provider(client_id: string, updated_at: string) {
  return {
    issuer: 'https://login.example.com',
    client_id,
    has_client_secret: true,
    role: 'analyst',
    may_join: false,
    is_required: false,
    updated_at,
  };
}

afterEach(() => {
  endSession();
  queryClient.clear();
});

const respond = (status: number, data: unknown) =>
  new Response(JSON.stringify({ data }), { status, headers: { 'content-type': 'application/json' } });

/** A server with the entity of a case, which `change` changes. A save of another version gets 412. */
function serverOf({ save, params, reads, entity: first }: SettingsCase) {
  const server = { entity: first, saves: [] as { status: number; body: Record<string, unknown> }[] };
  const isAt = (url: string, endpoint: Endpoint) => {
    const pattern = endpoint.path.replaceAll(/:\w+/g, '[^/]+');
    return new RegExp(`^(${CONSOLE_API}|${OPERATOR_API})${pattern}([?].*)?$`).test(url);
  };
  const answer = async (url: string, { method, headers, body }: RequestInit) => {
    if (method === 'GET') {
      const read = reads(server.entity as never).find(([endpoint]) => isAt(url, endpoint));
      return read ? respond(200, read[1]) : respond(404, 'Not in this test');
    }
    expect(url).toContain(addressOf(save, { params }));
    const ifMatch = (headers as Record<string, string>)['if-match'];
    const status = ifMatch === `"${versionOf(save.version!, server.entity)}"` ? 200 : 412;
    server.saves.push({ status, body: JSON.parse(body as string) });
    return respond(status, status === 200 ? server.entity : 'Changed');
  };
  vi.stubGlobal('fetch', answer);
  vi.stubGlobal('XMLHttpRequest', uploaderTo(answer));
  return server;
}

/** Sends forms to the server of the other calls, which gets their fields as JSON. */
const uploaderTo = (answer: (url: string, init: RequestInit) => Promise<Response>) =>
  class extends EventTarget {
    upload = new EventTarget();
    status = 0;
    responseText = '';
    private address = '';
    private readonly headers: Record<string, string> = {};
    open(_method: string, url: string) {
      this.address = url;
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value;
    }
    send(form: FormData) {
      const body = JSON.stringify(Object.fromEntries(form));
      void answer(this.address, { method: 'PUT', headers: this.headers, body }).then(async (response) => {
        [this.status, this.responseText] = [response.status, await response.text()];
        this.dispatchEvent(new Event('load'));
      });
    }
  };

/** Reads something once the screen has been drawn. */
const drawn = (read: () => unknown) => async () => {
  await act(async () => {});
  return read();
};

// Fields that grow with their text wait for fonts, which happy-dom lacks.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

test.each(Object.entries(cases))(
  'the form of %s saves its version only, and takes over what someone else changed',
  async (_name, one) => {
    openSession({ access_token: 'access', expires_in: 3600, user_id: uuid });
    const server = serverOf(one);
    const page = document.createElement('div');
    document.body.replaceChildren(page);
    const root = createRoot(page);
    const router = createRouter({
      routeTree: createRootRoute({ component: () => one.element(one.entity as never) }),
      history: createMemoryHistory(),
    });
    await router.load();
    await act(async () =>
      root.render(
        <QueryClientProvider client={queryClient}>
          <MantineProvider>
            <RouterProvider router={router} />
          </MantineProvider>
        </QueryClientProvider>,
      ),
    );
    await expect.poll(drawn(() => document.querySelector('form'))).not.toBeNull();
    server.entity = { ...one.entity, ...one.change };
    await act(async () => document.querySelector('form')!.requestSubmit());
    await expect
      .poll(drawn(() => server.saves))
      .toMatchObject([{ status: 412 }, { status: 200, body: one.sends ?? one.change }]);
    await act(async () => root.unmount());
  },
);
