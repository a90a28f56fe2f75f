/** What an AppsFlyer message is about, and the link of its click or view. */
export interface PushedEvent {
  /** The tracking link with its macros filled; null for an organic install. */
  link: string | null;
  appId: string;
  /** `install`, `re-engagement`, `re-attribution`, `reinstall` or the name of an in-app event. */
  eventName: string;
  at: Date;
  revenue?: { amount: number; currency: string; usd: number };
}

/** Conversion types by the name of the message; events in the app follow an install here. */
const CONVERSION_TYPES: Readonly<Record<string, string>> = {
  're-engagement': 're-engagement',
  're-attribution': 'reinstall',
  reinstall: 'reinstall',
};

/**
 * A message of AppsFlyer's Push API 2.0, by the names and forms of support.appsflyer.com 207034356 and 208387843: times in UTC with
 * milliseconds, booleans and numbers as JSON has them, and no field that is empty.
 */
export function pushMessage({ link, appId, eventName, at, revenue }: PushedEvent): Record<string, unknown> {
  const utc = at.toISOString().replace('T', ' ').replace('Z', '');
  const isRetargeting = eventName.startsWith('re-');
  const query = new URLSearchParams(link === null ? '' : new URL(link).search);
  return {
    api_version: '2.0',
    app_id: appId,
    app_name: 'Example',
    platform: /^id\d+$/.test(appId) ? 'ios' : 'android',
    event_name: eventName,
    event_time: utc,
    event_time_selected_timezone: `${utc}+0000`,
    install_time: utc,
    event_source: 'SDK',
    conversion_type: CONVERSION_TYPES[eventName] ?? 'install',
    campaign_type: link === null ? 'organic' : isRetargeting ? 'retargeting' : 'ua',
    is_retargeting: isRetargeting,
    is_primary_attribution: true,
    appsflyer_id: '1700000000000-1234567890123456789',
    ip: '203.0.113.7',
    user_agent: 'Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9)',
    selected_currency: 'USD',
    event_revenue_currency: revenue?.currency ?? 'USD',
    ...(revenue && {
      event_revenue: revenue.amount,
      event_revenue_usd: revenue.usd,
      event_value: JSON.stringify({ af_revenue: String(revenue.amount), af_currency: revenue.currency }),
    }),
    ...(link !== null && {
      original_url: link,
      media_source: query.get('pid'),
      campaign: query.get('c'),
      attributed_touch_type: new URL(link).hostname.startsWith('impression') ? 'impression' : 'click',
      attributed_touch_time: utc,
    }),
  };
}
