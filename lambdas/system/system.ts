import { llmsText } from '../../contract/llms.ts';
import { interfaceVersion, openApiDocument } from '../../contract/openapi.ts';
import { operations } from '../../contract/operations.ts';
import { health, llms, openApi, root } from '../../contract/operations/system.ts';
import { landingPage } from '../../web/pages/landing/landing-page.ts';
import { bind } from '../http/bind.ts';
import { bindFile } from '../http/bind-file.ts';
import { endpoint } from '../http/endpoint.ts';
import { once } from '../shared/once.ts';
import { page } from '../http/page.ts';
import { deployedPlans } from '../shared/plans.ts';
import { securityTxtBinding } from './security-txt-binding.ts';
import { setting } from '../shared/settings.ts';
import { deployedTempLimits } from '../shared/temp-limits.ts';

const describe = () => ({ brand: setting('BRAND'), baseUrl: setting('BASE_URL') });
const document = once(() => openApiDocument(describe(), operations));
const guide = once(() => {
  const facts = { ...describe(), plans: deployedPlans(), temporary: deployedTempLimits() };
  return llmsText(facts, operations);
});

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
  bindFile(llms, { run: async () => ({ mediaType: 'text/plain', content: guide() }) }),
  page('/', () =>
    landingPage({
      brand: setting('BRAND'),
      baseUrl: setting('BASE_URL'),
      sitesDomain: setting('SITES_DOMAIN'),
      limits: deployedTempLimits(),
    }),
  ),
  securityTxtBinding,
];

/** `/health`, `/v1`, the documentation for programs, the front page, and whom to tell of a weakness. */
export const handler = endpoint(bindings);
