/**
 * The outputs of a stage's two stacks that operator commands read. The stacks must have all of them.
 */
export type DataOutput =
  | 'SitesTable'
  | 'ProjectsTable'
  | 'CountersTable'
  | 'CodesTable'
  | 'AccountsTable'
  | 'ContentBucket'
  | 'CodeSecretArn'
  | 'AccessSecretArn'
  | 'OriginSecretArn';

export type ServiceOutput =
  | 'AppUrl'
  | 'SitesDomain'
  | 'SignUpPolicy'
  | 'SitesTenant'
  | 'Distributions';
