import type { APIGatewayProxyResult } from 'aws-lambda';
import { generatedTexts } from '../../contract/llms/documentation-text.ts';
import {
  documentationPath,
  type Guide,
  guides,
  referencePages,
} from '../../contract/llms/guides.ts';
import { insertInstallationNames } from '../../contract/llms/insert-installation-names.ts';
import { operations } from '../../contract/operations.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { pageResponse } from '../http/page-response.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
import { documentationOptions } from './documentation-options.ts';
import { missingAddress } from './discovery-bindings.ts';
import { withHeaders } from '../http/with-headers.ts';
import { fileResponse } from '../http/api-response.ts';

/** Browsers and proxies may keep a page for five minutes: it changes only when a new release is deployed. */
const cacheControl = 'public, max-age=300';

/** `/docs`: guides and the API reference, as HTML, and as Markdown where the address ends in `.md`. */
export const documentationBindings: readonly Binding[] = [
  {
    method: 'GET',
    route: documentationPath,
    async serve(request) {
      const { documentationIndex } = await renderer();
      return documentationResponse(request, documentationIndex(setting('BRAND')));
    },
  },
  {
    method: 'GET',
    route: `${documentationPath}/{page+}`,
    async serve(request) {
      const [, slug = '', suffix] =
        /^(.*?)(\.md)?\/?$/.exec(request.pathParameters['page'] ?? '') ?? [];
      const guide = [...guides, ...referencePages].find((one) => one.slug === slug);
      if (guide === undefined) return missingAddress(request);
      const text = (await texts()).get(slug) ?? '';
      if (suffix !== undefined) return markdownResponse(request, text);
      return documentationResponse(request, await renderedPage(guide, text));
    },
  },
];

const pages = new Map<string, Page>();

/** Renders a page once; there are about twenty. */
async function renderedPage(guide: Guide, text: string): Promise<Page> {
  const known = pages.get(guide.slug);
  if (known !== undefined) return known;
  const { documentationPage } = await renderer();
  const page = documentationPage(setting('BRAND'), guide, text);
  pages.set(guide.slug, page);
  return page;
}

/** The renderer and the texts are read when somebody opens the documentation, not at a cold start. */
const renderer = () => import('../../web/pages/documentation-page.ts');

const texts = lazy(async () => {
  const { guideTexts } = await import('./guide-texts.ts');
  const options = documentationOptions();
  const placeholders = {
    ...options,
    sitesDomain: setting('SITES_DOMAIN'),
    keyPrefix: setting('KEY_PREFIX'),
  };
  const all = [...Object.entries(guideTexts), ...generatedTexts(options, operations)];
  return new Map(all.map(([slug, text]) => [slug, insertInstallationNames(text, placeholders)]));
});

function documentationResponse(request: ApiRequest, page: Page): APIGatewayProxyResult {
  const answer = pageResponse(request, { status: 200, page });
  return withHeaders(answer, { 'cache-control': cacheControl });
}

function markdownResponse({ caller }: ApiRequest, content: string): APIGatewayProxyResult {
  const headers = { 'cache-control': cacheControl };
  return fileResponse(200, { mediaType: 'text/markdown', content, headers }, caller.requestId);
}
