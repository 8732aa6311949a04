import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { sessionTable } from '../../adapters/dynamodb/accounts/session-table.ts';
import { oauthServices } from './oauth-services.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { once } from '../shared/once.ts';
import { deployedPlans } from '../shared/plans.ts';
import { setting } from '../shared/settings.ts';
import { signInServices } from '../accounts/sign-in-services.ts';

/** What signing in and deciding about an app's request needs. */
export const authorizeServices = once(() => {
  const client = documentClient();
  return {
    ...oauthServices(),
    ...signInServices(client),
    sessions: sessionTable(client, setting('ACCOUNTS_TABLE')),
    plans: deployedPlans(),
    brand: setting('BRAND'),
    accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
  };
});
