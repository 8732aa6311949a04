import * as z from 'zod';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import { inboxPage } from '../ses/inbox-page.ts';
import type { MailStore } from '../ses/mail-store.ts';
import { SuppressionReason } from '../ses/suppression-list.ts';

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
}

const CONTROL_PREFIX = '/_local';

const TEN_YEARS_SECONDS = 10 * 366 * 86_400;
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
        "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; img-src data:",
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
<li><a href="/_local/state">State</a>: every row, every object key and every queue</li>
<li><a href="/_local/calls">Calls</a> since the last <code>DELETE /_local/calls</code></li>
<li><code>POST /_local/clock</code> <code>{"advanceSeconds": 900}</code>: moves the clock</li>
<li><code>POST /_local/maintenance</code>: runs every schedule now</li>
<li><code>POST /_local/invalidate</code> <code>{"items": ["/*"]}</code>: clears the edge's cache</li>
</ul>
</main>
</body>
</html>
`;

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
  return refusal(404, 'There is no such endpoint.', 'GET /_local/ lists them.');
}
