/** Where an exchange sends its bid requests: without a secret only an exchange that is open there is answered. */
export function bidAddress(url: string, ssp: string, secret: string | undefined): string {
  return secret === undefined ? `${url}/openrtb/${ssp}` : `${url}/openrtb/${ssp}/${secret}`;
}
