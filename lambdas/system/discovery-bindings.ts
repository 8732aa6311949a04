import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { CodedError } from '../../core/errors.ts';
import { missingPage } from '../../web/pages/missing-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { allowAnyOrigin } from '../http/endpoint.ts';
import { acceptsPage, page, pageResponse } from '../http/page-response.ts';
import { serveRoute } from '../http/serve-route.ts';
import { appPages } from '../http/app-pages.ts';
import { setting } from '../shared/settings.ts';
import { parseGuide } from '../../contract/discovery/connect-guide.ts';
import { iconPaths, toolIconPath, toolIconSvg } from '../../contract/discovery/icons.ts';
import { policyPaths } from '../../contract/discovery/policies.ts';
import {
  serverCard,
  serverCardPaths,
  serverCardType,
} from '../../contract/discovery/server-card.ts';
import { insertInstallationNames } from '../../contract/llms/insert-installation-names.ts';
import { mcpResource } from '../../contract/oauth/oauth.ts';
import { tools } from '../../contract/tools.ts';
import { connectPage } from '../../web/pages/connect-page.ts';
import { faviconSvg, pngIcon } from '../../web/pages/parts/drawings.ts';
import { discoveryResponse } from '../http/discovery-response.ts';
import { deployedPolicies } from '../shared/upgrade-address.ts';
import { deployment } from './documentation-options.ts';
import { fileBinding } from './host-file-bindings.ts';
import { securityTxtResponse } from './security-txt-response.ts';
import { interfaceVersion } from '../../contract/openapi/openapi-document.ts';
import { lazy } from '../shared/lazy.ts';

/** Every address of the app host that has no route of its own in API Gateway. */
export const missingAddressBinding: Binding = allowAnyOrigin({
  method: 'ANY',
  route: '/{rest+}',
  serve: serveRest,
});

async function serveRest(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const route = `/${(request.pathParameters['rest'] ?? '').replace(/\/+$/, '')}`;
  if (!discoveryBindings.some((binding) => binding.route === route)) return missingAddress(request);
  return serveRoute(discoveryBindings, appPages, { ...request, route });
}

/**
 * A page for a person in a browser, and JSON for a program. Addresses of the API always answer JSON.
 * @throws CodedError NOT_FOUND
 */
export function missingAddress(request: ApiRequest): APIGatewayProxyResult {
  const isOfApi = request.pathParameters['rest']?.startsWith('v1/') === true;
  if (isOfApi || !acceptsPage(request)) {
    throw new CodedError('NOT_FOUND', { error: 'There is nothing at this method and path.' });
  }
  return pageResponse(request, { status: 404, page: missingPage(setting('BRAND')) });
}

/** A file of an archive. */
interface PackedFile {
  /** ASCII, at most 100 bytes (POSIX.1-1988, ustar). */
  path: string;
  content: string;
}

const block = 512;

/** A tar archive (ustar) of these files. The same files make the same bytes: all have one date, and one owner. */
function tarArchive(files: readonly PackedFile[]): Buffer {
  const parts = files.flatMap(({ path, content }) => {
    const bytes = Buffer.from(content);
    const rest = (block - (bytes.length % block)) % block;
    return [tarHeader(path, bytes.length), bytes, Buffer.alloc(rest)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/** 26 October 1985, the date that `npm pack` gives to all files. */
const modifiedAt = 499_162_500;

function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  const fields: readonly [at: number, text: string][] = [
    [0, path],
    [100, octal(0o755, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(modifiedAt, 11)],
    // The checksum counts its own field as spaces.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\u000000'],
  ];
  for (const [at, text] of fields) header.write(text, at, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\u0000 `, 148, 'latin1');
  return header;
}

/**
 * `/cli.tgz`: the command line as an npm package, made for this installation. Its `homepage` is the address that the
 * command calls, so it needs no settings. Its version names its code, and is the ETag.
 */
const commandPackageBinding: Binding = {
  method: 'GET',
  route: '/cli.tgz',
  async serve({ caller }) {
    const { version, bytes } = await packed();
    return {
      statusCode: 200,
      headers: {
        'content-type': 'application/gzip',
        'cache-control': 'no-cache',
        etag: `"${version}"`,
        'x-request-id': caller.requestId,
      },
      body: bytes.toString('base64'),
      isBase64Encoded: true,
    };
  },
};

/** The code is read when somebody fetches the package, not at a cold start. */
const packed = lazy(async () => {
  const { code, build } = await import('virtual:command');
  const manifest = packageManifest(setting('BASE_URL'), build);
  const files: PackedFile[] = [
    { path: 'package/package.json', content: JSON.stringify(manifest, undefined, 2) },
    { path: 'package/main.mjs', content: code },
  ];
  const bytes = await promisify(gzip)(tarArchive(files), { level: 9 });
  return { version: manifest.version, bytes };
});

function packageManifest(baseUrl: string, build: string) {
  return {
    name: 'slipway',
    // A part that is all digits may not begin with a zero (semver.org, item 9).
    version: `${interfaceVersion}-b${build}`,
    description: `Publishes files and websites at ${baseUrl}.`,
    homepage: baseUrl,
    license: 'Apache-2.0',
    type: 'module',
    bin: { slipway: 'main.mjs' },
    engines: { node: '>=20.19' },
  };
}

/**
 * Where people and clients find out about the service: the page about connecting, the server card,
 * the icons, and the operator's pages. API Gateway serves these addresses by its route `/{rest+}`,
 * because a separate route for each would need two of the 500 resources of a stack.
 */
const discoveryBindings: readonly Binding[] = [
  { method: 'GET', route: serverCardPaths[0], serve: serveCard },
  { method: 'GET', route: '/security.txt', serve: async (request) => securityTxtResponse(request) },
  { method: 'GET', route: policyPaths.privacy, serve: (request) => leadTo(request, 'privacy') },
  { method: 'GET', route: policyPaths.terms, serve: (request) => leadTo(request, 'terms') },
  { method: 'GET', route: '/connect', serve: serveConnectPage },
  commandPackageBinding,
  fileBinding(iconPaths.svg, 'image/svg+xml', { body: faviconSvg }),
  fileBinding(iconPaths.png, 'image/png', { body: pngIcon, isBase64Encoded: true }),
  ...tools.map(({ icon }) =>
    fileBinding(toolIconPath(icon), 'image/svg+xml', { body: toolIconSvg(icon) }),
  ),
];

async function serveCard(request: ApiRequest) {
  return discoveryResponse(request, serverCardType, serverCard(deployment()));
}

/** The guide is read when somebody opens the page, not at a cold start. */
async function serveConnectPage(request: ApiRequest) {
  const { guideTexts } = await import('./guide-texts.ts');
  const names = {
    ...deployment(),
    sitesDomain: setting('SITES_DOMAIN'),
    keyPrefix: setting('KEY_PREFIX'),
  };
  const sections = parseGuide(guideTexts.connect).map(({ name, blocks }) => ({
    name,
    blocks: blocks.map((block) => ({
      ...block,
      text: insertInstallationNames(block.text, names),
    })),
  }));
  const { brand, baseUrl } = names;
  const render = () => connectPage({ brand, endpoint: mcpResource(baseUrl), sections });
  return page('/connect', render).serve(request);
}

/** Redirects to the operator's page. @throws CodedError NOT_FOUND if the operator has no such page */
async function leadTo({ caller }: ApiRequest, which: 'privacy' | 'terms') {
  const location = deployedPolicies()[which];
  if (location === undefined) {
    throw new CodedError('NOT_FOUND', {
      error: 'The operator of this service has published no such page.',
      nextStep: 'Ask the operator of this service.',
    });
  }
  const headers = { location, 'cache-control': 'public, max-age=300' };
  return { statusCode: 302, headers: { ...headers, 'x-request-id': caller.requestId }, body: '' };
}
