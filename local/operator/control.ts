import * as z from 'zod';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import { inboxPage } from '../ses/inbox-page.ts';
import type { MailStore } from '../ses/mail-store.ts';

/** What `/_local/` can see and do. */
export interface ControlDeps {
  mails: MailStore;
  calls(): unknown;
  resetCalls(): void;
  state(): Promise<unknown>;
  /** Moves the clock, and waits for everything that has become due. */
  advance(seconds: number): Promise<void>;
  now(): Date;
  /** Runs every schedule and the time to live sweep now, and waits for them. */
  maintain(): Promise<void>;
  invalidate(items: string[]): void;
}

const CONTROL_PREFIX = '/_local';

const TEN_YEARS_SECONDS = 10 * 366 * 86_400;
const Advance = z.strictObject({ advanceSeconds: z.number().min(0).max(TEN_YEARS_SECONDS) });
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
<li><a href="/_local/state">State</a>: every row, every object key and every queue</li>
<li><a href="/_local/calls">Calls</a> since the last <code>DELETE /_local/calls</code></li>
<li><code>POST /_local/clock</code> <code>{"advanceSeconds": 900}</code>: moves the clock</li>
<li><code>POST /_local/maintenance</code>: runs every schedule now</li>
<li><code>POST /_local/invalidate</code> <code>{"items": ["/*"]}</code>: forgets what the edge keeps</li>
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
      return refusal(400, 'The clock only moves forwards.', 'Send {"advanceSeconds": 60}.');
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
      return refusal(400, 'Nothing to invalidate was named.', 'Send {"items": ["/*"]}.');
    }
    deps.invalidate(input.items);
    return json(200, { invalidated: input.items });
  },
};

/** True for a request to the control endpoints: only the app's own hosts have them. */
export function isControl({ path, headers }: HttpRequest): boolean {
  const host = (headers['host'] ?? '').replace(/:\d+$/, '').toLowerCase();
  const isOurs = host === 'localhost' || host === '127.0.0.1';
  return isOurs && (path === CONTROL_PREFIX || path.startsWith(`${CONTROL_PREFIX}/`));
}

/** A page of another origin may not steer the local cloud: browsers say where a request comes from. */
function isForeign({ headers }: HttpRequest): boolean {
  const origin = headers['origin'];
  return origin !== undefined && origin !== `http://${headers['host'] ?? ''}`;
}

/** Answers `/_local/…`. */
export async function control(deps: ControlDeps, request: HttpRequest): Promise<HttpResponse> {
  if (isForeign(request)) {
    return refusal(403, 'Pages of other origins may not do this.', 'Call it from a terminal.');
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const path = request.path.slice(CONTROL_PREFIX.length) || '/';
  const route = ROUTES[`${method} ${path}`];
  if (route !== undefined) return route(deps, request);
  return refusal(404, 'The local cloud has no such control.', 'GET /_local/ lists them.');
}
