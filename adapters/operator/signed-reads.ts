import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Credentials, signedHeaders } from '../signed-calls/signature.ts';
import { clientConfig, type OperatorReach } from './operator-client.ts';

/** An error response of an AWS service; its `name` is the service's error code. */
export class AwsReadError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** The services that operator commands read without an SDK client: signing name and host in a region. */
const hosts = {
  acm: (region: string) => `acm.${region}`,
  lambda: (region: string) => `lambda.${region}`,
  // It has one endpoint for all regions.
  route53: () => 'route53',
  servicequotas: (region: string) => `servicequotas.${region}`,
  ses: (region: string) => `email.${region}`,
  ssm: (region: string) => `ssm.${region}`,
  sts: (region: string) => `sts.${region}`,
} as const;

type ServiceName = keyof typeof hosts;

interface ReadRequest {
  method?: 'GET' | 'POST';
  path?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/**
 * Reads facts from services that nothing else in the project calls. SDK packages for a call or two each
 * would be most of the dependencies (docs/decisions/0124). The credentials are those of the SDK:
 * environment, profile, SSO, role.
 */
export function signedReads(reach: OperatorReach) {
  const { credentials } = new SecretsManagerClient(clientConfig(reach)).config;
  return async (service: ServiceName, request: ReadRequest): Promise<string> => {
    const { method = 'POST', path = '/', headers = {}, body = '' } = request;
    const base = `https://${hosts[service](reach.region)}.amazonaws.com`;
    const url = new URL(path, reach.endpoint?.url ?? base);
    const signable = { service, region: reach.region, method, host: url.host, headers, body };
    // All services but S3 encode the path once more before they compare signatures.
    const signedPath = url.pathname.split('/').map(encodeURIComponent).join('/');
    const { host: _, ...signed } = signedHeaders(
      { ...signable, path: signedPath },
      plainCredentials(await credentials()),
      new Date(),
    );
    const response = await fetch(url, {
      method,
      headers: signed,
      ...(method === 'POST' && { body }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (!response.ok) throw readError(service, response, text);
    return text;
  };
}

function plainCredentials({ accessKeyId, secretAccessKey, sessionToken }: Credentials) {
  return { accessKeyId, secretAccessKey, sessionToken };
}

/** JSON services name the error in a header or in `__type`, STS in XML. */
function readError(service: ServiceName, response: Response, text: string): AwsReadError {
  const [, type = ''] = /"__type"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  const [, code = ''] = /<Code>([^<]+)<\/Code>/.exec(text) ?? [];
  const named = response.headers.get('x-amzn-errortype') ?? (type === '' ? code : type);
  const name = named.replace(/:.*$/, '').replace(/^.*#/, '');
  const [, message = ''] =
    /"[Mm]essage"\s*:\s*"([^"]*)"|<Message>([^<]*)<\/Message>/.exec(text) ?? [];
  return new AwsReadError(
    name === '' ? `Http${response.status}` : name,
    `${service} answered ${response.status} ${name}: ${message}`.replace(/: $/, ''),
  );
}
