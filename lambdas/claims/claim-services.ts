import { documentClient } from '../../adapters/dynamodb.ts';
import { addresses } from '../../core/projects/addresses.ts';
import { once } from './once.ts';
import { projectStores } from './project-stores.ts';
import { deployedPlans } from './plans.ts';
import { setting } from './settings.ts';
import { signInServices } from './sign-in-services.ts';

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
