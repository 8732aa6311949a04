/**
 * The tags of certificates and tenants of custom domains, which are in no stack. The permissions of the
 * functions depend on the stage's.
 */
export const domainTags = {
  /** The id of the domain. */
  domain: 'slipway:domain',
  /** The stage that made it: another stage in the same AWS account may not change it. */
  stage: 'slipway:stage',
} as const;
