/** A device model and its frequency among the models of its operating system. */
export interface DeviceKind {
  make: string;
  model: string;
  tablet: boolean;
  /** Screen size in points, in portrait orientation. */
  width: number;
  height: number;
  weight: number;
  /** Versions of its operating system, the most frequent first. */
  osVersions: readonly string[];
}

const kind =
  (make: string, tablet: boolean, osVersions: readonly string[]) =>
  (model: string, weight: number, width: number, height: number): DeviceKind => ({
    make,
    model,
    tablet,
    width,
    height,
    weight,
    osVersions,
  });

const iphone = kind('Apple', false, ['18.5', '18.3.2', '17.6.1', '18.1', '16.7.10']);
const oldIphone = kind('Apple', false, ['16.7.10', '17.6.1', '15.8.3', '18.3.2']);
const ipad = kind('Apple', true, ['18.5', '17.6.1', '16.7.10']);

export const IOS_DEVICES: readonly DeviceKind[] = [
  iphone('iPhone17,1', 9, 402, 874),
  iphone('iPhone16,2', 9, 430, 932),
  iphone('iPhone16,1', 8, 393, 852),
  iphone('iPhone15,4', 9, 393, 852),
  iphone('iPhone15,3', 8, 430, 932),
  iphone('iPhone15,2', 8, 393, 852),
  iphone('iPhone14,7', 8, 390, 844),
  iphone('iPhone14,5', 11, 390, 844),
  iphone('iPhone13,2', 9, 390, 844),
  oldIphone('iPhone12,1', 9, 414, 896),
  oldIphone('iPhone12,8', 4, 375, 667),
  oldIphone('iPhone11,8', 4, 414, 896),
  ipad('iPad13,18', 4, 820, 1180),
  ipad('iPad12,1', 4, 810, 1080),
  ipad('iPad14,1', 2, 744, 1133),
];

const newAndroid = ['15', '14', '16'] as const;
const midAndroid = ['14', '13', '12'] as const;
const oldAndroid = ['11', '12', '10', '9'] as const;

const galaxy = kind('Samsung', false, newAndroid);
const galaxyA = kind('Samsung', false, midAndroid);
const oldGalaxy = kind('Samsung', false, oldAndroid);
const galaxyTab = kind('Samsung', true, midAndroid);
const pixel = kind('Google', false, newAndroid);
const redmi = kind('Xiaomi', false, midAndroid);
const oldRedmi = kind('Xiaomi', false, oldAndroid);
const moto = kind('Motorola', false, midAndroid);

export const ANDROID_DEVICES: readonly DeviceKind[] = [
  galaxy('SM-S928B', 6, 384, 832),
  galaxy('SM-S921B', 6, 360, 780),
  galaxy('SM-S911B', 7, 360, 780),
  galaxy('SM-S901B', 5, 360, 780),
  galaxyA('SM-A546B', 9, 360, 780),
  galaxyA('SM-A536B', 7, 360, 800),
  galaxyA('SM-A155F', 10, 360, 780),
  galaxyA('SM-A145F', 8, 360, 800),
  oldGalaxy('SM-A127F', 6, 360, 800),
  oldGalaxy('SM-G991B', 4, 360, 800),
  galaxyTab('SM-X200', 3, 800, 1280),
  galaxyTab('SM-X210', 2, 800, 1280),
  pixel('Pixel 8', 4, 412, 915),
  pixel('Pixel 8a', 4, 412, 915),
  pixel('Pixel 7', 3, 412, 915),
  redmi('23021RAAEG', 7, 393, 873),
  redmi('2201117TG', 6, 393, 873),
  oldRedmi('M2101K6G', 4, 393, 873),
  moto('moto g54 5G', 5, 406, 904),
  moto('moto g(30)', 4, 412, 915),
];

/** User agent of the web view in which the device shows ads. */
export function userAgentOf({ make, model, tablet }: DeviceKind, osVersion: string): string {
  if (make !== 'Apple') {
    const mobile = tablet ? '' : ' Mobile';
    return `Mozilla/5.0 (Linux; Android ${osVersion}; ${model}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/138.0.0.0${mobile} Safari/537.36`;
  }
  const version = osVersion.split('.').slice(0, 2).join('_');
  const system = tablet ? `iPad; CPU OS ${version}` : `iPhone; CPU iPhone OS ${version}`;
  return `Mozilla/5.0 (${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148`;
}
