/** Parameters in which postbacks name one of the company's apps: its id here, its package name or its id in the store. */
export const APP_PARAMETERS: readonly string[] = [
  'app',
  'app_id',
  'app-id',
  'bundle',
  'bundle_id',
  'package_name',
  'store_id',
];

/** Parameters that name a device or its address: ours, as in the templates, and the partners'. */
export const DEVICE_PARAMETERS: readonly string[] = [
  'gaid',
  'idfa',
  'idfv',
  'advertising_id',
  'advertiser_id',
  'advertiserid',
  'android_id',
  'gps_adid',
  'google_aid',
  'ios_ifa',
  'ios_ifv',
  'aifa',
  'aaid',
  'user_data',
  'user_data.aaid',
  'user_data.idfa',
  'user_data.idfv',
  'oaid',
  'adid',
  'device_id',
  'appsflyer_id',
  'appsflyer_device_id',
  'ip',
  'ip_address',
  'device_ip',
];
