import { MMPS, type Mmp } from '../apps/schema.ts';

/** The measurement partners' domains; subdomains count as well. */
const DOMAINS: Readonly<Record<Mmp, readonly string[]>> = {
  appsflyer: ['appsflyer.com', 'onelink.me'],
  adjust: ['adjust.com', 'adjust.net.in', 'adjust.world', 'adj.st', 'go.link'],
  appmetrica: [
    'appmetrica.yandex.com',
    'appmetrika.yandex.com',
    'appmetrica.yandex.ru',
    'appmetrika.yandex.ru',
  ],
};

/**
 * The parameters of a partner's click URL with the macro that each must hold; one of them is required, so that the postback
 * returns the macro's value.
 */
export const CLICK_ID_IN: Readonly<Record<Mmp, Readonly<Record<string, '{click_id}' | '{install_token}'>>>> =
  {
    appsflyer: { clickid: '{click_id}' },
    adjust: { install_callback: '{install_token}', label: '{click_id}' },
    appmetrica: { click_id: '{click_id}' },
  };

/** The measurement partner of a host; undefined for other hosts. */
export function mmpOfHost(host: string): Mmp | undefined {
  return MMPS.find((mmp) => DOMAINS[mmp].some((domain) => host === domain || host.endsWith(`.${domain}`)));
}
