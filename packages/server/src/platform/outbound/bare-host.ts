/** The host of an address as it is looked up and connected to: an IPv6 address without its brackets. Pure. */
export function bareHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replaceAll(/[[\]]/g, '');
}
