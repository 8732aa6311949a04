interface Matchable {
  path: string;
  httpMethod: string;
}

/** A route and its path parameters, still percent-encoded as in the service. */
export interface RouteMatch<T> {
  route: T;
  pathParameters: Record<string, string>;
}

/** The methods of `ANY`; the service supports no others. */
const anyMethods = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/**
 * Finds the route of a request; undefined if there is none.
 *
 * The resource is chosen first (static before `{param}` before `{proxy+}`, segment by segment),
 * then the method: a path without the method does not fall back to a proxy resource.
 * Trailing slashes are ignored.
 */
export function matchRoute<T extends Matchable>(
  routes: readonly T[],
  method: string,
  path: string,
): RouteMatch<T> | undefined {
  const segments = segmentsOf(path);
  const matches = routes
    .map((route) => ({ route, found: matchSegments(segmentsOf(route.path), segments) }))
    .filter((match) => match.found !== undefined)
    .toSorted((a, b) => compare(a.found?.rank ?? '', b.found?.rank ?? ''));
  const resource = matches[0]?.route.path;
  const candidates = matches.filter((match) => match.route.path === resource);
  const match =
    candidates.find(({ route }) => route.httpMethod === method) ??
    candidates.find(({ route }) => route.httpMethod === 'ANY' && anyMethods.has(method));
  if (match === undefined) return undefined;
  return { route: match.route, pathParameters: match.found?.parameters ?? {} };
}

function segmentsOf(path: string): string[] {
  const trimmed = path.replace(/^\/+/, '').replace(/\/+$/, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

interface Found {
  /** One digit a segment: 0 static, 1 parameter, 2 greedy. The smallest rank wins. */
  rank: string;
  parameters: Record<string, string>;
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): Found | undefined {
  const parameters: [string, string][] = [];
  let rank = '';
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (segment === '') return undefined;
    const name = /^\{(.+?)\+?\}$/.exec(part)?.[1];
    if (name === undefined) {
      if (part !== segment) return undefined;
      rank += '0';
    } else if (part.endsWith('+}')) {
      parameters.push([name, segments.slice(index).join('/')]);
      return { rank: `${rank}2`, parameters: Object.fromEntries(parameters) };
    } else {
      parameters.push([name, segment]);
      rank += '1';
    }
  }
  if (pattern.length !== segments.length) return undefined;
  return { rank, parameters: Object.fromEntries(parameters) };
}
