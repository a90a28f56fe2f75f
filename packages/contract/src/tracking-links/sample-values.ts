import type { Os } from '../apps/fields.ts';
import type { TrackingMacro } from './macros.ts';

/** Sample values of the macros for a test click. `at` is in Unix seconds. */
export function sampleValues({ os }: { os: Os }, at: number): Record<TrackingMacro, string> {
  const ios = os === 'ios';
  return {
    click_id: 'bidwell-test-click',
    install_token: 'bidwell-test-install',
    campaign_id: '01900000-0000-7000-8000-000000000001',
    campaign_name: 'Test campaign',
    adset_id: '01900000-0000-7000-8000-000000000002',
    creative_id: '01900000-0000-7000-8000-000000000003',
    campaign_short_id: 'AZAAAAAAcACAAAAAAAAAAQ',
    adset_short_id: 'AZAAAAAAcACAAAAAAAAAAg',
    creative_short_id: 'AZAAAAAAcACAAAAAAAAAAw',
    site_id: ios ? '1234567890' : 'com.example.publisher',
    bundle: ios ? '1234567890' : 'com.example.publisher',
    exchange: 'test',
    country: 'DE',
    // Reserved for documentation (RFC 5737).
    ip: '203.0.113.7',
    ua: ios
      ? 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'
      : 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    lang: 'en',
    idfa: ios ? '6D92078A-8246-4BA4-AE5B-76104861E7DC' : '',
    gaid: ios ? '' : '38400000-8cf0-11bd-b23e-10b96e40000d',
    timestamp: String(at),
    // A test click leads to the store.
    deep_link: '',
  };
}
