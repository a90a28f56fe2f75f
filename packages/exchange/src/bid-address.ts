/** URL of an exchange's bid requests. Without a secret, the server responds only if the exchange is open. */
export function bidAddress(url: string, ssp: string, secret: string | undefined): string {
  return secret === undefined ? `${url}/openrtb/${ssp}` : `${url}/openrtb/${ssp}/${secret}`;
}
