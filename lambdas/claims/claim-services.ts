import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { once } from '../shared/once.ts';
import { projectStores } from '../shared/project-stores.ts';
import { deployedPlans } from '../shared/plans.ts';
import { setting } from '../shared/settings.ts';
import { signInServices } from '../accounts/sign-in-services.ts';

/** What signing in and keeping a project on the claim pages needs. */
export const claimServices = once(() => {
  const client = documentClient();
  return {
    ...projectStores(client),
    ...signInServices(client),
    brand: setting('BRAND'),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
  };
});
