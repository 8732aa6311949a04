import type { AccountState } from '../../adapters/operator/account-state.ts';
import type { CertificateState } from '../../adapters/operator/certificate-state.ts';
import type { EdgeAddresses } from '../../adapters/operator/edge-addresses.ts';
import type { MailState } from '../../adapters/operator/mail-state.ts';
import type { SharedQuota } from '../../adapters/operator/shared-quotas.ts';
import type { ServedPage } from '../../adapters/operator/served-sites.ts';
import type { ZoneReader } from '../../adapters/operator/zone-state.ts';
import type { ContentStore } from '../../core/ports.ts';
import type { Settings } from '../../lib/settings.ts';
import type { NameRecords } from './name-records.ts';

/** What the diagnoses read. */
export interface DoctorDeps {
  account: AccountState;
  readCertificate: (arn: string) => Promise<CertificateState | undefined>;
  mail: MailState;
  /** The certificates for custom domains that the stage requested in 365 days; undefined without its stack. */
  certificatesOfYear: () => Promise<number | undefined>;
  /** All addresses that serve something, in pages, and the files of their versions; undefined without the stage's stack. */
  servedSites: () => Promise<ServedSites | undefined>;
  /** Whether the stage's stack exists, so that its resources are its own. */
  isDeployed: () => Promise<boolean>;
  edge: EdgeAddresses;
  zones: ZoneReader;
  /** What the stages of the account share, and how much of it the account may have. */
  sharedQuotas: () => Promise<SharedQuota[]>;
  /** Of the Node that runs this: `24.1.0`. */
  nodeVersion: string;
  names: NameRecords;
  settings: Settings;
  now: () => Date;
}

/** What a stage serves. */
export interface ServedSites {
  pages: AsyncIterable<ServedPage>;
  content: Pick<ContentStore, 'get'>;
}

/**
 * What was found out. A `problem` makes a deployment or its use fail; a `warning` may be intended;
 * `unknown` could not be read.
 */
export interface Finding {
  state: 'ok' | 'problem' | 'warning' | 'unknown';
  fact: string;
  /** What to do, unless the state is `ok`. */
  advice?: string;
}

/** One question about an account and a stage. */
export interface Diagnosis {
  name: string;
  actions: readonly string[];
  run(deps: DoctorDeps): Promise<Finding[]>;
}

export const ok = (fact: string): Finding => ({ state: 'ok', fact });
export const problem = (fact: string, advice: string): Finding => ({
  state: 'problem',
  fact,
  advice,
});
export const warning = (fact: string, advice: string): Finding => ({
  state: 'warning',
  fact,
  advice,
});
export const unknown = (fact: string, advice: string): Finding => ({
  state: 'unknown',
  fact,
  advice,
});
