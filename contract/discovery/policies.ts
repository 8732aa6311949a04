/** Addresses of the app that lead to the operator's own pages, where an installation has them. */
export const policyPaths: Readonly<Record<'privacy' | 'terms', string>> = {
  privacy: '/privacy',
  terms: '/terms',
};

/** The operator's own pages; undefined for those that an installation does not have. */
export interface Policies {
  /** What happens to personal data. */
  privacy: string | undefined;
  /** The terms under which people and apps may use the service. */
  terms: string | undefined;
}
