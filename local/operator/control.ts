import * as z from 'zod';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { LocalDns } from '../dns/dns.ts';
import { type DnsChange, dnsChanges, formInput, formRoute } from '../dns/dns-control.ts';
import { dnsPage } from '../dns/dns-page.ts';
import { Failure } from './failures.ts';
import { inboxPage } from '../ses/inbox-page.ts';
import type { MailStore } from '../ses/mail-store.ts';
import { SuppressionReason } from '../ses/suppression-list.ts';

/** What there is below `/_local/`. */
const INDEX = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local cloud</title>
<style>:root { color-scheme: light dark; } body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 2rem 1rem; } code { font: 14px ui-monospace, monospace; }</style>
</head>
<body>
<main>
<h1>Local cloud</h1>
<ul>
<li><a href="/_local/mail">Inbox</a>: every e-mail that was sent (<a href="/_local/mail.json">JSON</a>, <code>?to=</code> for one address)</li>
<li><code>POST /_local/bounce</code> <code>{"address": "a@example.org"}</code>: SES suppresses this address (<code>"reason": "COMPLAINT"</code> after a complaint)</li>
<li><a href="/_local/dns">DNS</a>: the records of custom domains (<a href="/_local/dns.json">JSON</a>; <code>POST</code> and <code>DELETE /_local/dns/records</code> <code>{"name": "customer.com", "type": "TXT", "value": "…"}</code>, <code>POST /_local/dns/forget</code> empties the resolvers' caches)</li>
<li><code>POST /_local/failures</code> <code>{"service": "acm", "action": "RequestCertificate", "error": "ThrottlingException", "times": 2}</code>: the next calls to ACM or CloudFront fail</li>
<li><a href="/_local/state">State</a>: every row, every object key, every queue, certificates and tenants</li>
<li><a href="/_local/calls">Calls</a> since the last <code>DELETE /_local/calls</code></li>
<li><code>POST /_local/clock</code> <code>{"advanceSeconds": 900}</code>: moves the clock</li>
<li><code>POST /_local/maintenance</code>: runs every schedule now</li>
<li><code>POST /_local/invalidate</code> <code>{"items": ["/*"]}</code>: clears the edge's cache</li>
</ul>
</main>
</body>
</html>
`;

/** The dependencies of the `/_local/` endpoints. */
export interface ControlDeps {
  mails: MailStore;
  /** A mail to this address bounced, or its reader complained. */
  bounce(address: string, reason: SuppressionReason): void;
  calls(): unknown;
  resetCalls(): void;
  state(): Promise<unknown>;
  /** Moves the clock and waits for everything that becomes due. */
  advance(seconds: number): Promise<void>;
  now(): Date;
  /** Runs every schedule and the expiry sweep, and waits for them. */
  maintain(): Promise<void>;
  invalidate(items: string[]): void;
  dns: LocalDns;
  /** The next calls of an action fail in this way. */
  fail(failure: Failure): void;
}

const CONTROL_PREFIX = '/_local';

/** How far the clock may be moved at once. */
export const TEN_YEARS_SECONDS = 10 * 366 * 86_400;
const Advance = z.strictObject({ advanceSeconds: z.number().min(0).max(TEN_YEARS_SECONDS) });
const Bounce = z.strictObject({
  address: z.string().min(1).max(320),
  reason: SuppressionReason.default('BOUNCE'),
});
const Invalidation = z.strictObject({ items: z.array(z.string()).min(1) });

function json(status: number, body: unknown): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: Buffer.from(JSON.stringify(body)),
  };
}

function page(html: string): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; img-src data:; form-action 'self'",
      'x-content-type-options': 'nosniff',
    },
    body: Buffer.from(html),
  };
}

function refusal(status: number, error: string, nextStep: string): HttpResponse {
  const code =
    { 400: 'INVALID_REQUEST', 403: 'FORBIDDEN', 404: 'NOT_FOUND' }[status] ?? 'NOT_FOUND';
  const details = status === 400 ? { details: [] } : {};
  return json(status, { status: 'error', error, code, nextStep, ...details });
}

function bodyOf<T>(request: HttpRequest, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(request.body.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

type Route = (deps: ControlDeps, request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

const ROUTES: Record<string, Route> = {
  'GET /': () => page(INDEX),
  'GET /mail': ({ mails }) => page(inboxPage(mails.list())),
  'GET /mail.json': ({ mails }, { query }) =>
    json(200, { mails: mails.list(new URLSearchParams(query).get('to') ?? undefined) }),
  'POST /bounce': (deps, request) => {
    const input = bodyOf(request, Bounce);
    if (input === undefined) {
      return refusal(
        400,
        '`address` must be an e-mail address, and `reason` BOUNCE or COMPLAINT.',
        'Send {"address": "a@example.org"}.',
      );
    }
    deps.bounce(input.address, input.reason);
    return json(200, { suppressed: input });
  },
  'GET /dns': ({ dns }, { query }) =>
    page(dnsPage(dns, new URLSearchParams(query).get('refused') ?? undefined)),
  'GET /dns.json': ({ dns }) => json(200, { resolvers: dns.resolvers, zones: dns.zones.zones() }),
  'POST /failures': (deps, request) => {
    const input = bodyOf(request, Failure);
    if (input === undefined) {
      return refusal(
        400,
        'This is not a failure of acm or cloudfront.',
        'Send {"service": "acm", "action": "RequestCertificate", "error": "ThrottlingException"}.',
      );
    }
    deps.fail(input);
    return json(200, { ordered: input });
  },
  'GET /calls': (deps) => json(200, deps.calls()),
  'DELETE /calls': (deps) => {
    deps.resetCalls();
    return json(200, deps.calls());
  },
  'GET /state': async (deps) => json(200, await deps.state()),
  'GET /clock': (deps) => json(200, { now: deps.now().toISOString() }),
  'POST /clock': async (deps, request) => {
    const input = bodyOf(request, Advance);
    if (input === undefined) {
      return refusal(
        400,
        '`advanceSeconds` must be a number of seconds from 0 to ten years.',
        'Send {"advanceSeconds": 60}.',
      );
    }
    await deps.advance(input.advanceSeconds);
    return json(200, { now: deps.now().toISOString() });
  },
  'POST /maintenance': async (deps) => {
    await deps.maintain();
    return json(200, { now: deps.now().toISOString() });
  },
  'POST /invalidate': (deps, request) => {
    const input = bodyOf(request, Invalidation);
    if (input === undefined) {
      return refusal(400, '`items` must list at least one path or tag.', 'Send {"items": ["/*"]}.');
    }
    deps.invalidate(input.items);
    return json(200, { invalidated: input.items });
  },
};

function isForm({ headers }: HttpRequest): boolean {
  return (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
}

/** A change of zones: a program gets JSON, the page's forms come back to the page. */
function changeDns(
  { dns }: ControlDeps,
  request: HttpRequest,
  path: string,
): HttpResponse | undefined {
  const text = request.body.toString('utf8');
  const form = isForm(request) ? new URLSearchParams(text) : undefined;
  const change =
    dnsChanges[form === undefined ? `${request.method} ${path}` : formRoute(path, form)];
  if (change === undefined) return undefined;
  const input = form === undefined ? bodyOf(request, z.unknown()) : formInput(form);
  const outcome = change(dns, input ?? {});
  return form === undefined ? changeAnswer(outcome) : backToPage(outcome);
}

function changeAnswer(outcome: DnsChange): HttpResponse {
  if ('done' in outcome) return json(200, outcome.done);
  return refusal(
    400,
    outcome.refused,
    'Send {"name": "customer.com", "type": "TXT", "value": "…"}; GET /_local/dns.json shows all.',
  );
}

function backToPage(outcome: DnsChange): HttpResponse {
  const query = 'refused' in outcome ? `?refused=${encodeURIComponent(outcome.refused)}` : '';
  const headers = { location: `${CONTROL_PREFIX}/dns${query}`, 'cache-control': 'no-store' };
  return { status: 303, headers, body: Buffer.alloc(0) };
}

/** Whether this is a request to `/_local/`, which only the app's own hosts serve. */
export function isControlRequest({ path, headers, viewer }: HttpRequest): boolean {
  // With --host, others in the network reach the listener. Mails and state are for this computer.
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(viewer.address)) return false;
  const host = (headers['host'] ?? '').replace(/:\d+$/, '').toLowerCase();
  const isOurs = host === 'localhost' || host === '127.0.0.1';
  return isOurs && (path === CONTROL_PREFIX || path.startsWith(`${CONTROL_PREFIX}/`));
}

/** Browsers send the origin of a page: pages of other origins must not control the local cloud. */
function isOtherOrigin({ headers }: HttpRequest): boolean {
  const origin = headers['origin'];
  return origin !== undefined && origin !== `http://${headers['host'] ?? ''}`;
}

/** Answers `/_local/…`. */
export async function control(deps: ControlDeps, request: HttpRequest): Promise<HttpResponse> {
  if (isOtherOrigin(request)) {
    return refusal(
      403,
      'Pages of other origins must not use this endpoint.',
      'Call it from a terminal.',
    );
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const path = request.path.slice(CONTROL_PREFIX.length) || '/';
  const route = ROUTES[`${method} ${path}`];
  if (route !== undefined) return route(deps, request);
  const changed = changeDns(deps, request, path);
  if (changed !== undefined) return changed;
  return refusal(404, 'There is no such endpoint.', 'GET /_local/ lists them.');
}
