import { setTimeout } from 'node:timers/promises';
import type { AwsEnvironment } from '../../contract/environment.ts';
import {
  type Connections,
  connections,
  type HttpAnswer,
  type Patience,
} from '../outgoing-http/http-exchange.ts';
import { signedHeaders } from './signature.ts';

/** The variable that names another endpoint for a service, by the service's name in signatures. */
const endpointVariables = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  s3: 'AWS_ENDPOINT_URL_S3',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  sqs: 'AWS_ENDPOINT_URL_SQS',
} as const satisfies Record<string, keyof AwsEnvironment>;

export type ServiceName = keyof typeof endpointVariables;

/** One call: where it goes and what is sent. */
export interface SignedCall {
  service: ServiceName;
  /** For an error's text: `GetItem`. */
  operation: string;
  method: 'GET' | 'POST';
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
  maxBytes: number;
}

/** A few calls of AWS without its SDK, signed with the function's own role. */
export interface SignedCalls {
  /** The answer of a success; {@link AwsRefusal} for any other, once trying again has not helped. */
  send(call: SignedCall): Promise<HttpAnswer>;
  /** Where a service is, unless the environment names another place for it. */
  endpoint(service: ServiceName): { url: URL; isOwn: boolean };
  close(): void;
}

/** An answer that is none of success: `code` is AWS's own name of it. */
export class AwsRefusal extends Error {
  override readonly name = 'AwsRefusal';
  readonly status: number;
  readonly code: string;

  constructor({ service, operation }: SignedCall, { status, body }: HttpAnswer) {
    const code = codeOf(body.toString());
    super(`${service} ${operation}: ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

const maxTries = 3;
const firstPauseMs = 50;

/** A visit has ten seconds: three tries leave it time to say that it failed. */
const defaultPatience: Patience = { connectMs: 1000, silenceMs: 2000, totalMs: 3000 };

/** Refusals of DynamoDB and S3 with a 400 that are gone a moment later. */
const passing = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestTimeout',
  'ThrottlingException',
]);

/**
 * Signed calls over kept connections: up to three tries on a failure of the network, a 5xx or too
 * many calls at once, with a random pause between them.
 *
 * For calls that may be made twice: reads, and messages, which SQS delivers at least once anyway.
 */
export function signedCalls(
  environment: AwsEnvironment,
  patience: Patience = defaultPatience,
): SignedCalls {
  const wire = connections();
  return {
    async send(call) {
      for (let tries = 1; ; tries += 1) {
        const outcome = await attempt(wire, environment, call, patience);
        if (!(outcome instanceof Error)) return outcome;
        if (tries === maxTries || !isPassing(outcome)) throw outcome;
        await setTimeout(Math.random() * firstPauseMs * 2 ** tries);
      }
    },
    endpoint(service) {
      const own = environment[endpointVariables[service]] ?? environment.AWS_ENDPOINT_URL;
      const url = own ?? `https://${service}.${environment.AWS_REGION}.amazonaws.com`;
      return { url: new URL(url), isOwn: own !== undefined };
    },
    close: () => wire.close(),
  };
}

async function attempt(
  wire: Connections,
  environment: AwsEnvironment,
  call: SignedCall,
  patience: Patience,
): Promise<HttpAnswer | Error> {
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
  if (body !== '') headers['content-length'] = String(Buffer.byteLength(body));
  try {
    const answer = await wire.exchange({ url, method, headers, body, maxBytes }, patience);
    return answer.status < 300 ? answer : new AwsRefusal(call, answer);
  } catch (cause) {
    // A function is frozen between visits, and its connections may end meanwhile.
    wire.closeIdle();
    return new Error(`${service} ${operation}: no answer`, { cause });
  }
}

/** Whether the same call may succeed a moment later. */
function isPassing(error: Error): boolean {
  if (!(error instanceof AwsRefusal)) return true;
  return error.status >= 500 || error.status === 429 || passing.has(error.code);
}

/** `{"__type":"com.amazon.coral.service#AccessDeniedException"}`, or S3's `<Code>NoSuchKey</Code>`. */
function codeOf(body: string): string {
  const [, code = 'unknown'] =
    /"__type"\s*:\s*"(?:[^"#]*#)?(\w{1,100})"|<Code>(\w{1,100})<\/Code>/
      .exec(body)
      ?.filter((group) => group !== undefined) ?? [];
  return code;
}
