/** Loss reason codes of OpenRTB 2.6 ("List: Loss Reason Codes"), as a person reads them. */
export const LOSS_REASONS: Readonly<Record<number, string>> = {
  0: 'No code',
  1: 'Internal error of the exchange',
  2: 'Impression opportunity expired',
  3: 'Invalid bid response',
  4: 'Invalid deal id',
  5: 'Invalid auction id',
  6: 'Invalid advertiser domain',
  7: 'Markup is missing',
  8: 'Creative id is missing',
  9: 'Price is missing',
  10: 'Data to approve the creative is missing',
  100: 'Below the auction floor',
  101: 'Below the floor of the deal',
  102: 'Lost to a higher bid',
  103: 'Lost to a bid for a deal',
  104: 'Our seat is blocked',
  200: 'Creative filtered',
  201: 'Creative waits for the review of the exchange',
  202: 'Creative is disapproved by the exchange',
  203: 'Size of the creative is not allowed',
  204: 'Format of the creative is wrong',
  205: 'Advertiser is excluded',
  206: 'Advertised app is excluded',
  207: 'Creative is not secure',
  208: 'Language is excluded',
  209: 'Category is excluded',
  210: 'Attribute of the creative is excluded',
  211: 'Type of ad is excluded',
  212: 'Animation is too long',
  213: 'Creative is not allowed in the deal',
};

/** From this code on, exchanges define their own. Stands for all of these where they are counted together. */
export const OWN_LOSS_CODES = 1000;
/** Stands for all codes without a meaning in OpenRTB where they are counted together; has none itself. */
export const UNKNOWN_LOSS_CODES = 999;

/** The meaning of a loss reason code. */
export function lossReason(code: number): string {
  return (
    LOSS_REASONS[code] ??
    (code >= OWN_LOSS_CODES ? 'Code of the exchange' : 'Code without a meaning in OpenRTB')
  );
}
