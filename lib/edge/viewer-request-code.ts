import { readFileSync } from 'node:fs';
import { commonHeaders } from '../../contract/common-headers.ts';
import { formMethods } from '../api/routes.ts';

/** The functions of this folder that run in CloudFront before the cache. */
export type ViewerRequestFile = 'viewer-request.js' | 'app-viewer-request.js';

/** Where visitors of the bare sites domain go. */
export interface FrontPage {
  /** The domain of all sites, without a port. */
  sitesHost: string;
  /** The app's front page. */
  url: string;
}

/**
 * The code of one function, with the headers of every response for the refusals that it makes itself,
 * with the module that chooses origins, with the methods of forms, and with the app's front page.
 */
export function viewerRequestCode(file: ViewerRequestFile, frontPage?: FrontPage): string {
  const source = withoutComments(readFileSync(new URL(file, import.meta.url), 'utf8'));
  const headers = Object.fromEntries(
    Object.entries(commonHeaders).map(([name, value]) => [name, { value }]),
  );
  const code = `${source}\nvar commonHeaders = ${JSON.stringify(headers)};\n`;
  if (file === 'app-viewer-request.js') return code;
  // CloudFront accepts an import in the first line only.
  return `import cf from 'cloudfront';\n${code}var formMethods = ${JSON.stringify(formMethods())};\nvar frontPage = ${JSON.stringify(frontPage ?? {})};\n`;
}

/** CloudFront counts comments as code, of which a function has at most 10 kB. Only whole lines are left out. */
function withoutComments(source: string): string {
  return source.replaceAll(/^\s*(?:\/\*\*[^]*?\*\/|\/\/.*)\n/gm, '');
}

/** The code of the function for answers of the MCP endpoint and the authorization server. */
export function viewerResponseCode(): string {
  return readFileSync(new URL('app-viewer-response.js', import.meta.url), 'utf8');
}
