import type { FunctionGroup } from '../../contract/operation-groups.ts';
import { isAnonymous, allowedMethods, isCalledWithKey } from '../../contract/operation.ts';
import { documentationPath } from '../../contract/llms/guides.ts';
import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { operations } from '../../contract/operations.ts';
import { securityTxtPath } from '../../contract/security-txt.ts';

/** A function with routes: one for each group of operations, and the ones that serve pages. */
export type RoutedFunction = FunctionGroup | 'claim-pages' | 'oauth' | 'mcp' | 'visitor-forms';

/** A method that a path answers, and the function that serves it. */
export interface Route {
  method: string;
  path: string;
  group: RoutedFunction;
}

/**
 * Routes beside the operations of the contract: pages on the app's host, forms below `/_slipway/` on
 * every site, OAuth and MCP.
 */
const pages: readonly Route[] = [
  { method: 'GET', path: '/', group: 'system' },
  { method: 'GET', path: documentationPath, group: 'system' },
  { method: 'GET', path: `${documentationPath}/{page+}`, group: 'system' },
  { method: 'GET', path: '/favicon.ico', group: 'system' },
  { method: 'GET', path: '/robots.txt', group: 'system' },
  // Every address that does not exist.
  { method: 'GET', path: '/{rest+}', group: 'system' },
  { method: 'GET', path: securityTxtPath, group: 'system' },
  { method: 'GET', path: '/claim/{claimToken}', group: 'claim-pages' },
  { method: 'POST', path: '/claim/{claimToken}', group: 'claim-pages' },
  { method: 'GET', path: '/account/keep/{link}', group: 'accounts' },
  { method: 'POST', path: '/account/keep/{link}', group: 'accounts' },
  { method: 'GET', path: '/mails/stop/{token}', group: 'projects' },
  { method: 'POST', path: '/mails/stop/{token}', group: 'projects' },
  { method: 'GET', path: '/upload/{token}', group: 'upload-links' },
  { method: 'POST', path: '/upload/{token}', group: 'upload-links' },
  { method: 'GET', path: oauthPaths.serverMetadata, group: 'oauth' },
  { method: 'GET', path: oauthPaths.resourceMetadata, group: 'oauth' },
  { method: 'GET', path: '/.well-known/{rest+}', group: 'oauth' },
  { method: 'GET', path: `${oauthPaths.resourceMetadata}/{rest+}`, group: 'oauth' },
  { method: 'GET', path: `${oauthPaths.serverMetadata}/{rest+}`, group: 'oauth' },
  { method: 'POST', path: oauthPaths.register, group: 'oauth' },
  { method: 'GET', path: oauthPaths.authorize, group: 'oauth' },
  { method: 'POST', path: oauthPaths.authorize, group: 'oauth' },
  { method: 'GET', path: oauthPaths.connections, group: 'oauth' },
  { method: 'GET', path: oauthPaths.device, group: 'oauth' },
  { method: 'POST', path: oauthPaths.device, group: 'oauth' },
  { method: 'POST', path: oauthPaths.deviceAuthorization, group: 'oauth' },
  { method: 'POST', path: oauthPaths.token, group: 'oauth' },
  { method: 'POST', path: oauthPaths.revoke, group: 'oauth' },
  { method: 'POST', path: oauthPaths.mcp, group: 'mcp' },
  { method: 'GET', path: oauthPaths.mcp, group: 'mcp' },
  { method: 'DELETE', path: oauthPaths.mcp, group: 'mcp' },
  { method: 'GET', path: '/_slipway/preview/off', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/preview/ended', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/preview/{token}', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/owner/{token}', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/owner', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/share', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/share', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/share/{token}', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/unlock', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/address', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/code', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/{rest+}', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/report', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/report', group: 'visitor-forms' },
  { method: 'POST', path: '/_slipway/open', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/cleared', group: 'visitor-forms' },
  { method: 'GET', path: '/_slipway/versions.atom', group: 'visitor-forms' },
];

const routes: readonly Route[] = [...operations, ...pages];

/** Every path of the API, each once. */
const paths = [...new Set(routes.map(({ path }) => path))];

/**
 * The methods to create in API Gateway.
 *
 * Each path has `ANY`, which the function of its GET serves: that function also answers HEAD, OPTIONS
 * and, with 405, every wrong method. A method has a route of its own only if another function serves
 * it, or if it has its own throttle or authorizer. An exact method takes precedence over `ANY`.
 */
export function gatewayMethods(): Route[] {
  return paths.flatMap((path) => {
    const declared = routesOf(path);
    const [main] = declared.toSorted(
      (a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'),
    );
    if (main === undefined) return [];
    const separate = declared.filter(
      (route) => route.group !== main.group || isAnonymousWrite(route) || isForAgents(route),
    );
    return [{ path, method: 'ANY', group: main.group }, ...separate];
  });
}

function routesOf(path: string): Route[] {
  return routes.filter((route) => route.path === path);
}

/** Whether this is the MCP endpoint's POST, whose credential API Gateway checks first. */
export function isForAgents({ path, method }: Pick<Route, 'path' | 'method'>): boolean {
  return path === oauthPaths.mcp && method === 'POST';
}

/** The paths of sites that take a POST, each with its `Allow`: the edge answers OPTIONS of sites with 405. */
export function formMethods(): Record<string, string> {
  const forms = pages.filter(
    ({ method, path }) => method === 'POST' && path.startsWith('/_slipway/'),
  );
  return Object.fromEntries(
    forms.map(({ path }) => {
      const methods = allowedMethods(routesOf(path).map(({ method }) => method));
      return [path, methods.filter((method) => method !== 'OPTIONS').join(', ')];
    }),
  );
}

/** Writes that need no credential. They share a lower throttle. */
export function anonymousWrites(): Route[] {
  return routes.filter(isAnonymousWrite);
}

function isAnonymousWrite({ path, method }: Route): boolean {
  if (path.startsWith('/oauth/')) return method === 'POST';
  const operation = operations.find((one) => one.path === path && one.method === method);
  return operation !== undefined && isAnonymous(operation) && method !== 'GET';
}

/** A path that pages of other origins may call, and its methods. */
interface CrossOriginPath {
  path: string;
  methods: string[];
}

/** The paths of OAuth, MCP and `/.well-known` that browser apps of other origins call. They use no cookie. */
export function agentPaths(): CrossOriginPath[] {
  return paths.filter(isCalledByAgents).map(withMethods);
}

/** The paths that browser apps of other origins call with a key. */
export function keyPaths(): CrossOriginPath[] {
  return paths
    .filter((path) => operations.some((one) => one.path === path && isCalledWithKey(one)))
    .map(withMethods);
}

function withMethods(path: string): CrossOriginPath {
  return { path, methods: routesOf(path).map(({ method }) => method) };
}

/** Not the authorization page: browsers navigate to it. */
function isCalledByAgents(path: string): boolean {
  const called: string[] = [
    oauthPaths.mcp,
    oauthPaths.register,
    oauthPaths.token,
    oauthPaths.deviceAuthorization,
    oauthPaths.revoke,
  ];
  return called.includes(path) || path.startsWith('/.well-known/');
}
