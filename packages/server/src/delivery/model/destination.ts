/** Where a click of an ad set goes. */
export interface Destination {
  clickUrl: string;
  campaignName: string;
}
