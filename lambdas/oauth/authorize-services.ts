import { documentClient } from '../../adapters/dynamodb.ts';
import { sessionTable } from '../../adapters/session-table.ts';
import { oauthServices } from './oauth-services.ts';
import { deployedSecret } from './deployed-secrets.ts';
import { once } from './once.ts';
import { deployedPlans } from './plans.ts';
import { setting } from './settings.ts';
import { signInServices } from './sign-in-services.ts';

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
