/** Paths of the app that redirect to the operator's own pages, if the installation has them. */
export const policyPaths: Readonly<Record<'privacy' | 'terms', string>> = {
  privacy: '/privacy',
  terms: '/terms',
};

/** The operator's own pages; undefined for those that an installation does not have. */
export interface Policies {
  privacy: string | undefined;
  /** The terms under which people and apps may use the service. */
  terms: string | undefined;
}
