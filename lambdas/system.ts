import { health, root } from '../contract/operations/system.ts';

import { landingPage } from '../web/pages/landing-page.ts';
import { bind } from './runtime/bind.ts';
import { endpoint } from './runtime/endpoint.ts';
import { page } from './runtime/page.ts';
import { setting } from './runtime/settings.ts';
import { deployedTempLimits } from './runtime/temp-limits.ts';

export const bindings = [
  bind(health, { run: async () => ({ status: 'ok', service: 'slipway' }) }),
  bind(root, {
    run: async () => ({ status: 'ok', version: '1.0.0', docs: `${setting('BASE_URL')}/#api` }),
  }),
  page('/', () =>
    landingPage({
      brand: setting('BRAND'),
      baseUrl: setting('BASE_URL'),
      sitesDomain: setting('SITES_DOMAIN'),
      limits: deployedTempLimits(),
    }),
  ),
];

/** `/health`, `/v1` and the front page. */
export const handler = endpoint(bindings);
