/** Where clicks on an ad set's ads are redirected. */
export interface Destination {
  clickUrl: string;
  campaignName: string;
}
