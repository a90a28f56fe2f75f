/** The fields of an OpenRTB 2.5 bid request that this exchange sends; prices in dollars per thousand impressions. */
export interface BidRequest {
  id: string;
  /** 1: first price, 2: second price plus. */
  at: 1 | 2;
  /** Response timeout in milliseconds. */
  tmax: number;
  cur: ['USD'];
  imp: Imp[];
  app: App;
  device: Device;
  user: { id: string; ext?: { consent: string } };
  bcat: string[];
  regs: { coppa: 0 | 1; ext: { gdpr: 0 | 1 } };
  /** Of Google: how earlier bids ended. */
  ext?: { bid_feedback: readonly object[] };
  source: { tid: string; fd: 0; ext?: { schain: SupplyChain } };
}

/** Who sells the request, the publisher's own account first (SupplyChain object 1.0). */
export interface SupplyChain {
  ver: '1.0';
  /** 1: all sellers are named. */
  complete: 0 | 1;
  nodes: { asi: string; sid: string; hp: 1 }[];
}

/** One opportunity to show an ad (3.2.4). */
export interface Imp {
  id: string;
  tagid: string;
  /** 1: interstitial. */
  instl: 0 | 1;
  secure: 0 | 1;
  bidfloor: number;
  bidfloorcur: 'USD';
  banner: Banner;
  video?: Video;
  /** The request of Native 1.2, as a string (3.2.9). */
  native?: { ver: '1.2'; request: string };
  /** For iOS apps: the frameworks that ads can be signed for (IAB Tech Lab, "SKAdNetwork Support"). */
  ext?: {
    skadn?: { versions: readonly string[]; sourceapp: string; skadnetids: readonly string[] };
    /** Of Google: the billing ids that a bid may name, and creatives that may not be bid. */
    billing_id?: readonly string[];
    excluded_creatives?: readonly { buyer_creative_id: string }[];
  };
}

/** 3.2.7. */
export interface Video {
  mimes: string[];
  minduration: number;
  maxduration: number;
  /** 2 VAST 2.0, 3 VAST 3.0, 7 VAST 4.0, 11 VAST 4.1. */
  protocols: number[];
  w: number;
  h: number;
  linearity: 1;
  skip: 1;
  skipafter: number;
  pos: 7;
}

/** 3.2.6; `format` lists all sizes that fit; the first is repeated in w and h. */
export interface Banner {
  w: number;
  h: number;
  format: { w: number; h: number }[];
  /** 1 above the fold, 4 header, 5 footer, 7 full screen. */
  pos: 1 | 4 | 5 | 7;
  mimes: string[];
  /** 5: MRAID 2. */
  api: number[];
}

/** The app that shows the ad (3.2.14). */
export interface App {
  id: string;
  name: string;
  /** Package name on Google Play, or numeric id in the App Store. */
  bundle: string;
  storeurl: string;
  cat: string[];
  ver: string;
  publisher: { id: string; name: string };
}

/** 3.2.18; `ifa` is absent for people who limit ad tracking. */
export interface Device {
  ua: string;
  ip: string;
  /** Country (ISO 3166-1 alpha-3); minutes east of UTC; some have a region, a city and the beginning of a postal code. */
  geo: { country: string; type: 2; utcoffset: number; region?: string; city?: string; zip?: string };
  lmt: 0 | 1;
  /** 4 phone, 5 tablet. */
  devicetype: 4 | 5;
  make: string;
  model: string;
  os: 'iOS' | 'Android';
  osv: string;
  w: number;
  h: number;
  language: string;
  carrier?: string;
  /** 2 Wi-Fi, 5 3G, 6 4G, 7 5G. */
  connectiontype: 2 | 5 | 6 | 7;
  ifa?: string;
}
