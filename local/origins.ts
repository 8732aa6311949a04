import * as z from 'zod';
import { globalArn, REGION } from './assembly/resource-type.ts';
import { arnOf, physicalId } from './assembly/resource-types.ts';
import type { CallCounts } from './operator/operator.ts';
import type { Clock } from './time/clock.ts';
import type { OriginPort, RoutedOrigin } from './edge/origin/origin-request.ts';
import type { Functions } from './functions/functions.ts';
import type { RestApi } from './gateway/rest-api.ts';
import type { HttpRequest, HttpResponse } from './http/http.ts';
import type { Iam } from './iam/iam.ts';
import { lambdaPermissions } from './iam/lambda-permissions.ts';
import { callFunctionUrl, forbidden, wrongSignature } from './functions/lambda-url.ts';
import { edgeCredentials, isSignedByEdge, signAsEdge } from './signatures/url-signature.ts';
import type { S3Server } from './s3/s3-server.ts';
import { StartError } from './errors.ts';
import { type Resource, resourcesOfType, parseProperties } from './assembly/resource.ts';

export interface OriginsOptions {
  resources: Resource[];
  restApi: RestApi;
  functions: Functions;
  s3: S3Server;
  iam: Iam;
  clock: Clock;
  counts: CallCounts;
}

const Distribution = z.object({
  DistributionConfig: z.object({
    ConnectionMode: z.string().optional(),
    Origins: z.array(z.object({ DomainName: z.string() })),
  }),
});
const Tenant = z.object({ DistributionId: z.string() });
const Url = z.strictObject({
  AuthType: z.enum(['AWS_IAM', 'NONE']),
  TargetFunctionArn: z.string(),
  InvokeMode: z.enum(['BUFFERED', 'RESPONSE_STREAM']).default('BUFFERED'),
});

/**
 * The source ARN of CloudFront's signed requests to each origin: the distribution's, or the tenant's if
 * the distribution is reached through tenants only.
 */
function originSigners(resources: Resource[]): Map<string, string> {
  const tenants = resourcesOfType(resources, 'AWS::CloudFront::DistributionTenant').map(
    (resource) => ({
      id: resource.logicalId,
      distributionId: Tenant.parse(resource.properties).DistributionId,
    }),
  );
  const pairs = resourcesOfType(resources, 'AWS::CloudFront::Distribution').flatMap((resource) => {
    const { ConnectionMode, Origins } = Distribution.parse(resource.properties).DistributionConfig;
    const tenant = tenants.find(({ distributionId }) => distributionId === resource.logicalId);
    const signer =
      ConnectionMode === 'tenant-only' && tenant !== undefined
        ? `distribution-tenant/${tenant.id}`
        : `distribution/${resource.logicalId}`;
    return Origins.map(({ DomainName }) => [DomainName, globalArn('cloudfront', signer)] as const);
  });
  return new Map(pairs);
}

interface FunctionUrl {
  name: string;
  arn: string;
  isPublic: boolean;
  invokeMode: 'BUFFERED' | 'RESPONSE_STREAM';
}

/** The Function URLs of the templates, by host. */
function functionUrls(resources: Resource[]): Map<string, FunctionUrl> {
  const functions = resourcesOfType(resources, 'AWS::Lambda::Function');
  return new Map(
    resourcesOfType(resources, 'AWS::Lambda::Url').map((resource) => {
      const properties = parseProperties(resource, Url);
      const { AuthType, TargetFunctionArn: arn, InvokeMode: invokeMode } = properties;
      const target = functions.find((one) => arnOf(one) === arn || physicalId(one) === arn);
      if (target === undefined) throw new StartError(`${resource.logicalId}: no function ${arn}.`);
      const name = physicalId(target);
      const entry = { name, arn: arnOf(target), isPublic: AuthType === 'NONE', invokeMode };
      return [`${name}.lambda-url.${REGION}.on.aws`, entry] as const;
    }),
  );
}

function accessDenied(): HttpResponse {
  const body = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
  return { status: 403, headers: { 'content-type': 'application/xml' }, body: Buffer.from(body) };
}

function decodedKey(path: string): string | undefined {
  try {
    return decodeURIComponent(path.slice(1));
  } catch {
    return undefined;
  }
}

const CLOUDFRONT = 'cloudfront.amazonaws.com';

/** Reads an object as CloudFront, if the bucket's policy allows it. */
async function fetchFromBucket(
  { iam, counts, s3 }: OriginsOptions,
  { origin, signer }: { origin: RoutedOrigin; signer: string },
  request: HttpRequest,
): Promise<HttpResponse> {
  const bucket = origin.domainName.replace(/\.s3\..*$/, '');
  const key = decodedKey(request.path);
  if (!origin.signsRequests || key === undefined || !/^(GET|HEAD)$/.test(request.method))
    return accessDenied();
  const isAllowed = iam.bucketAllowsService(CLOUDFRONT, {
    action: 's3:GetObject',
    resource: `arn:aws:s3:::${bucket}/${key}`,
    context: { 'aws:sourcearn': signer },
  });
  if (!isAllowed) return accessDenied();
  counts.add('s3', 's3:GetObject');
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  return s3.read({ bucket, key, method, headers: request.headers });
}

/** Connects the edge to the REST API, Function URLs and buckets, with the templates' permissions. */
export function createOriginPort(options: OriginsOptions): OriginPort {
  const { resources, restApi, functions, clock } = options;
  const signerOf = originSigners(resources);
  const urls = functionUrls(resources);
  const mayCall = lambdaPermissions(resources);
  const credentials = edgeCredentials();

  const fetchFromFunction = async (origin: RoutedOrigin, request: HttpRequest) => {
    const url = urls.get(origin.domainName);
    if (url === undefined) return forbidden();
    const caller = {
      functionArn: url.arn,
      principal: CLOUDFRONT,
      sourceArn: signerOf.get(origin.domainName) ?? '',
    };
    // A Function URL behind origin access control needs both permissions.
    const sent = origin.signsRequests
      ? signAsEdge(request, credentials, { sourceArn: caller.sourceArn, now: clock.now() })
      : request;
    const isPermitted =
      origin.signsRequests &&
      mayCall({ ...caller, action: 'lambda:InvokeFunctionUrl' }) &&
      mayCall({ ...caller, action: 'lambda:InvokeFunction' });
    if (!isPermitted && !url.isPublic) return forbidden();
    if (!url.isPublic && !isSignedByEdge(sent, credentials, clock.now())) return wrongSignature();
    return callFunctionUrl(sent, {
      functionName: url.name,
      invokeMode: url.invokeMode,
      now: () => clock.now(),
      invoke: async (name, event) => functions.invoke(name, event),
      stream: async (name, event) => functions.stream(name, event),
    });
  };

  return {
    async fetch(origin, request) {
      if (origin.kind === 'function-url') return fetchFromFunction(origin, request);
      if (origin.kind === 's3')
        return fetchFromBucket(
          options,
          { origin, signer: signerOf.get(origin.domainName) ?? '' },
          request,
        );
      const stage = `/${restApi.stageName}`;
      const isRestApi =
        origin.domainName === restApi.domainName && `${request.path}/`.startsWith(`${stage}/`);
      if (!isRestApi) return forbidden();
      options.counts.add('billed', 'API Gateway requests');
      return restApi.handle({ ...request, path: request.path.slice(stage.length) || '/' });
    },
  };
}
