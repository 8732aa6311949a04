import { interfaceVersion, openApiDocument } from '../contract/openapi.ts';
import { operations } from '../contract/operations.ts';
import { health, openApi, root } from '../contract/operations/system.ts';
import { landingPage } from '../web/pages/landing-page.ts';
import { bind } from './runtime/bind.ts';
import { endpoint } from './runtime/endpoint.ts';
import { once } from './runtime/once.ts';
import { page } from './runtime/page.ts';
import { setting } from './runtime/settings.ts';
import { deployedTempLimits } from './runtime/temp-limits.ts';

const describe = () => ({ brand: setting('BRAND'), baseUrl: setting('BASE_URL') });
const document = once(() => openApiDocument(describe(), operations));

export const bindings = [
  bind(health, { run: async () => ({ status: 'ok', service: 'slipway' }) }),
  bind(root, {
    run: async () => ({
      status: 'ok',
      version: interfaceVersion,
      docs: `${setting('BASE_URL')}/#api`,
    }),
  }),
  bind(openApi, { run: async () => document() }),
  page('/', () =>
    landingPage({
      brand: setting('BRAND'),
      baseUrl: setting('BASE_URL'),
      sitesDomain: setting('SITES_DOMAIN'),
      limits: deployedTempLimits(),
    }),
  ),
];

/** `/health`, `/v1`, the documentation for programs, and the front page. */
export const handler = endpoint(bindings);
