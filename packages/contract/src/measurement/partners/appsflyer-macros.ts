/**
 * The names of AppsFlyer's macros, in lower case and with underscores: from its documentation (support.appsflyer.com 207273946,
 * 360016751637), in which some are written with hyphens. Only these in parentheses are macros: the name of an event may be too.
 */
export const APPSFLYER_MACROS: ReadonlySet<string> = new Set(
  `advertiser_id advertiserid advertising_id af_ad af_ad_id af_adset af_adset_id af_c_id af_channel af_click_id af_keywords af_siteid
  af_sub1 af_sub2 af_sub3 af_sub4 af_sub5 af_sub_siteid amazon_aid android_id app_id app_name app_version app_version_name
  appsflyer_device_id appsflyer_id attributed_touch_time attributed_touch_type attribution_type blocked_reason blocked_reason_rule
  blocked_reason_value blocked_sub_reason bundle_id campaign campaign_id carrier city click_id click_time click_ts clickid country
  country_code currency device_brand device_category device_id device_model device_type event_id event_name event_revenue
  event_revenue_currency event_revenue_usd event_time event_timestamp event_value gp_click_time gp_install_begin
  gp_referer_click_ts gp_referer_install_ts gp_referrer idfa idfv imei install_time install_ts install_unix_ts ip
  is_primary_attribution is_rejected is_retargeting is_view_through lang language match_type media_source oaid os_version partner
  pid platform publisher_id reengagement_window region rejected reject_reason retargeting_conversion_type revenue sdk_version
  selected_currency selected_revenue site_id sub_site_id timestamp user_agent vendorid viewthrough wifi`.split(
    /\s+/,
  ),
);
