/** What may be published without an account; the part of the product's limits that the front page tells. */
export interface LandingLimits {
  maxParts: number;
  maxBytes: number;
  maxArchiveEntries: number;
  lifetimeSeconds: number;
  uploads: readonly { limit: number; windowSeconds: number }[];
}

/** What the front page of one deployment is made from. */
export interface Landing {
  brand: string;
  /** Scheme and host of the app, no trailing slash. */
  baseUrl: string;
  /** Domain of the published sites, with a port where there is one. */
  sitesDomain: string;
  limits: LandingLimits;
}
