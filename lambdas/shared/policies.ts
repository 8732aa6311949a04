import type { Policies } from '../../contract/discovery/policies.ts';
import { setting } from './settings.ts';

/** The operator's own pages of this installation. */
export function deployedPolicies(): Policies {
  return {
    privacy: setting('PRIVACY_POLICY') || undefined,
    terms: setting('TERMS_OF_SERVICE') || undefined,
  };
}
