import { llmsIndex, llmsText } from '../../contract/llms/llms-text.ts';
import { interfaceVersion, openApiDocument } from '../../contract/openapi/openapi-document.ts';
import { operations } from '../../contract/operations.ts';
import { documentationPath } from '../../contract/llms/guides.ts';
import {
  getHealth,
  getLlmsFullText,
  getLlmsText,
  getOpenApi,
  getVersion,
} from '../../contract/operations/system.ts';
import { landingPage } from '../../web/pages/landing-page.ts';
import { bind } from '../http/bind.ts';
import { allowAnyOrigin, endpoint } from '../http/endpoint.ts';
import { appPages } from '../http/app-pages.ts';
import { lazy } from '../shared/lazy.ts';
import { page } from '../http/page-response.ts';
import { deployedPlans, deployedTempLimits } from '../shared/deployed-limits.ts';
import { setting } from '../shared/settings.ts';
import { securityTxtPath } from '../../contract/security-txt.ts';
import { compressed } from './compressed.ts';
import { documentationBindings } from './documentation-bindings.ts';
import { documentationOptions } from './documentation-options.ts';
import { hostFileBindings } from './host-file-bindings.ts';
import { missingAddressBinding } from './discovery-bindings.ts';
import { securityTxtResponse } from './security-txt-response.ts';
import { installation } from '../shared/installation.ts';

const document = lazy(() => openApiDocument(installation(), operations));
const fullGuide = lazy(() => llmsText(documentationOptions(), operations));

export const bindings = [
  bind(getHealth, () => ({ status: 'ok', service: 'slipway' })),
  bind(getVersion, () => ({
    status: 'ok',
    version: interfaceVersion,
    docs: `${setting('BASE_URL')}${documentationPath}`,
  })),
  bind(getOpenApi, document),
  bind(getLlmsText, () => llmsIndex(documentationOptions())),
  bind(getLlmsFullText, fullGuide),
  page('/', () =>
    landingPage({
      brand: setting('BRAND'),
      baseUrl: setting('BASE_URL'),
      sitesDomain: setting('SITES_DOMAIN'),
      limits: { ...deployedTempLimits(), accountBytes: deployedPlans().free.maxUploadBytes },
    }),
  ),
  allowAnyOrigin({
    method: 'GET',
    route: securityTxtPath,
    serve: async (request) => securityTxtResponse(request),
  }),
  ...documentationBindings,
  ...hostFileBindings,
  missingAddressBinding,
].map(compressed);

/** `/health`, `/v1`, the documents for programs, the front page and `security.txt`. */
export const handler = endpoint(bindings, appPages);
