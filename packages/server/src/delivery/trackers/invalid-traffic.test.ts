import { expect, test } from 'vitest';
import { createInvalidTrafficDetector } from './invalid-traffic.ts';

const phone = 'Mozilla/5.0 (Linux; Android 12; Pixel 6) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36';
const detectInvalidTraffic = createInvalidTrafficDetector('203.0.113.0/24\n2001:db8::/32');

test.each([
  ['198.51.100.7', phone, ''],
  ['198.51.100.7', 'okhttp/4.9.3', ''],
  ['198.51.100.7', 'Dalvik/2.1.0 (Linux; U; Android 8.1; CUBOT X18 Build/O11019)', ''],
  ['198.51.100.7', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
  ['198.51.100.7', 'Mozilla/5.0 HeadlessChrome/120.0', 'bot'],
  ['198.51.100.7', 'curl/8.4.0', 'bot'],
  ['198.51.100.7', 'Mozilla/5.0 (compatible; GoogleOther)', 'bot'],
  ['198.51.100.7', 'Java/17.0.2', 'bot'],
  ['198.51.100.7', 'UnityPlayer/2022.3 (UnityWebRequest/1.0, libcurl/8.5.0-DEV)', ''],
  ['198.51.100.7', 'MyGame/1.0 CFNetwork/1408.0.4 Darwin/22.5.0', ''],
  ['198.51.100.7', 'SpiderSolitaire/7.9 CFNetwork/1408.0.4 Darwin/22.5.0', ''],
  ['198.51.100.7', 'WarRobots/10.2 CFNetwork/1408 Darwin/22.5.0', ''],
  ['198.51.100.7', 'com.example.spider/3 Dalvik/2.1.0 (Linux; U; Android 12)', ''],
  ['198.51.100.7', `${phone} (Mobile; afma-sdk-a-v10084236)`, ''],
  ['198.51.100.7', ' ', 'bot'],
  ['52.1.2.3', phone, 'datacenter'],
  ['::ffff:52.1.2.3', phone, 'datacenter'],
  ['203.0.113.9', phone, 'datacenter'],
  ['2001:db8::9', phone, 'datacenter'],
  ['2001:4860:4860::8888', phone, ''],
  ['no address', phone, ''],
])('a click from %s by %j is marked %j', (ip, userAgent, mark) => {
  expect(detectInvalidTraffic.ofEvent(ip, userAgent)).toBe(mark);
});

test.each(['10.0.0.0/33', 'example.com', '10.0.0.0/x', '/8'])('%j is no network', (network) => {
  expect(() => createInvalidTrafficDetector(network)).toThrow(`"${network}" is not a network`);
});
