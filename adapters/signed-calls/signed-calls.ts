import type { AwsEnvironment } from '../../contract/environment.ts';
import {
  type Connections,
  connections,
  type HttpResponse,
  type Timeouts,
} from '../outgoing-http/http-exchange.ts';
import { backOff } from '../../core/back-off.ts';
import { isThrottlingCode } from '../failures/service-failure.ts';
import { AwsError } from './aws-error.ts';
import { signedHeaders } from './signature.ts';

/**
 * The environment variable that overrides a service's endpoint, by the service's name in
 * signatures.
 */
const endpointVariables = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  s3: 'AWS_ENDPOINT_URL_S3',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  sqs: 'AWS_ENDPOINT_URL_SQS',
} as const satisfies Record<string, keyof AwsEnvironment>;

export type ServiceName = keyof typeof endpointVariables;

/** One call of an AWS service. */
export interface SignedCall {
  service: ServiceName;
  /** For error messages: `GetItem`. */
  operation: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The limit for the response. */
  maxBytes: number;
}

/** The endpoint of a service; `isOverridden` if it comes from an environment variable. */
export interface Endpoint {
  url: Readonly<URL>;
  isOverridden: boolean;
}

/** Calls AWS without its SDK, signed with the function's own role. */
export type SignedCalls = ReturnType<typeof signedCalls>;

const maxAttempts = 3;
const betweenCalls = { firstMs: 100, longestMs: 200 };

/** A visit may take ten seconds, so three attempts leave time for an error page. */
const defaultTimeouts: Timeouts = { connectMs: 1000, silenceMs: 2000, totalMs: 3000 };

/**
 * Signed calls over keep-alive connections. A network error, a 5xx or throttling is retried twice,
 * after a random delay.
 *
 * Use it only for calls that may run twice: reads, objects under keys that are written once, and
 * messages, which SQS may deliver twice anyway.
 */
export function signedCalls(environment: AwsEnvironment, timeouts: Timeouts = defaultTimeouts) {
  const pool = connections();
  const endpoints = new Map<ServiceName, Endpoint>();
  return {
    /** Resolves with a successful response; throws {@link AwsError} for any other after the last retry. */
    async send(call: SignedCall) {
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await attempt(pool, environment, call, timeouts);
        if (!(outcome instanceof Error)) return outcome;
        if (attempts === maxAttempts || !isRetryable(outcome)) throw outcome;
        await backOff(attempts, betweenCalls);
      }
    },
    endpoint(service: ServiceName) {
      const known = endpoints.get(service);
      if (known !== undefined) return known;
      const override = environment[endpointVariables[service]] ?? environment.AWS_ENDPOINT_URL;
      const url = override ?? `https://${service}.${environment.AWS_REGION}.amazonaws.com`;
      const endpoint = { url: new URL(url), isOverridden: override !== undefined };
      endpoints.set(service, endpoint);
      return endpoint;
    },
    close: () => pool.close(),
  };
}

async function attempt(
  pool: Connections,
  environment: AwsEnvironment,
  call: SignedCall,
  timeouts: Timeouts,
): Promise<HttpResponse | Error> {
  const { service, operation, method, url, maxBytes, body = '' } = call;
  const headers = signedHeaders(
    {
      service,
      region: environment.AWS_REGION,
      method,
      host: url.host,
      path: url.pathname,
      headers: call.headers,
      body,
    },
    {
      accessKeyId: environment.AWS_ACCESS_KEY_ID,
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
      sessionToken: environment.AWS_SESSION_TOKEN,
    },
    new Date(),
  );
  if (body.length > 0 || method === 'PUT')
    headers['content-length'] = String(Buffer.byteLength(body));
  try {
    const response = await pool.exchange({ url, method, headers, body, maxBytes }, timeouts);
    return response.status < 300 ? response : new AwsError(call, response);
  } catch (cause) {
    // Lambda freezes a function between visits, and idle connections may close meanwhile.
    pool.closeIdle();
    return new Error(`${service} ${operation}: no response`, { cause });
  }
}

/** Whether the same call may succeed a moment later. */
function isRetryable(error: Error): boolean {
  if (!(error instanceof AwsError)) return true;
  const { status, code } = error;
  return status >= 500 || status === 429 || isThrottlingCode(code) || code === 'RequestTimeout';
}
