import { StartError } from '../../errors.ts';
import type * as z from 'zod';
import type { AuthorizerProperties, MethodProperties } from './resource-schemas.ts';

type IntegrationProperties = z.infer<typeof MethodProperties>['Integration'];

/** A fixed answer of a MOCK integration. */
interface MockAnswer {
  status: number;
  /** Matched against the status of the request template; undefined for the default answer. */
  selects: RegExp | undefined;
  headers: Record<string, string>;
  body: string;
}

/** The integration of a method. */
export type Integration =
  | { kind: 'lambda'; functionName: string; timeoutMs: number }
  | {
      kind: 'mock';
      /** Status by the request's media type. */
      statusByMediaType: ReadonlyMap<string, number>;
      passthrough: 'WHEN_NO_MATCH' | 'WHEN_NO_TEMPLATES' | 'NEVER';
      answers: readonly MockAnswer[];
    };

/** Checks and normalises the integration of a method; `name` is for messages. */
export function parseIntegration(name: string, properties: IntegrationProperties): Integration {
  if (properties.Type === 'MOCK') {
    return {
      kind: 'mock',
      statusByMediaType: new Map(
        Object.entries(properties.RequestTemplates).map(([mediaType, template]) => [
          mediaType,
          mockStatus(name, template),
        ]),
      ),
      passthrough: properties.PassthroughBehavior,
      answers: properties.IntegrationResponses.map((response) => parseMockAnswer(name, response)),
    };
  }
  if (properties.IntegrationHttpMethod !== 'POST') {
    throw new StartError(
      `${name}: property Integration.IntegrationHttpMethod must be POST for Lambda.`,
    );
  }
  return {
    kind: 'lambda',
    functionName: functionNameOf(`${name}: property Integration.Uri`, properties.Uri ?? ''),
    timeoutMs: properties.TimeoutInMillis,
  };
}

/** `arn:aws:apigateway:<region>:lambda:path/2015-03-31/functions/<function ARN>/invocations`. */
const invocationUri =
  /^arn:aws:apigateway:[a-z0-9-]+:lambda:path\/2015-03-31\/functions\/arn:aws:lambda:[a-z0-9-]+:\d{12}:function:([A-Za-z0-9_-]+)\/invocations$/;

/** The function that an invocation address names; `where` is for messages. */
function functionNameOf(where: string, uri: string): string {
  const functionName = invocationUri.exec(uri)?.[1];
  if (functionName !== undefined) return functionName;
  throw new StartError(`${where} names no Lambda function: ${uri}`);
}

/** The service is lenient: the CDK writes `{ statusCode: 204 }` without quotes. */
const statusTemplate = /^\s*\{\s*["']?statusCode["']?\s*:\s*["']?(\d{3})["']?\s*\}\s*$/;

function mockStatus(name: string, template: string): number {
  const status = statusTemplate.exec(template)?.[1];
  if (status !== undefined) return Number(status);
  throw new StartError(
    `${name}: property Integration.RequestTemplates must hold a status code only: ${template}`,
  );
}

function parseMockAnswer(
  name: string,
  response: IntegrationProperties['IntegrationResponses'][number],
): MockAnswer {
  const body = response.ResponseTemplates['application/json'] ?? '';
  if (/[$#]/.test(body)) {
    throw new StartError(
      `${name}: property Integration.IntegrationResponses holds a template; the local gateway supports fixed text only.`,
    );
  }
  return {
    status: response.StatusCode,
    selects:
      response.SelectionPattern === undefined
        ? undefined
        : new RegExp(`^(?:${response.SelectionPattern})$`),
    headers: Object.fromEntries(
      Object.entries(response.ResponseParameters).map(([target, source]) =>
        mockHeader(name, target, source),
      ),
    ),
    body,
  };
}

function mockHeader(name: string, target: string, source: string): [string, string] {
  const header = /^method\.response\.header\.(.+)$/.exec(target)?.[1];
  const literal = /^'(.*)'$/s.exec(source)?.[1];
  if (header !== undefined && literal !== undefined) return [header.toLowerCase(), literal];
  throw new StartError(
    `${name}: property Integration.IntegrationResponses maps ${target} from ${source}; only headers with literal values are supported.`,
  );
}

/** A Lambda authorizer of the type REQUEST, whose results are not cached. */
export interface Authorizer {
  id: string;
  functionName: string;
  /** Request headers that must be present for the authorizer to be called. */
  identityHeaders: readonly string[];
}

/** Checks and normalises an authorizer of the template; its `name` is for messages. */
export function parseAuthorizer(resource: {
  name: string;
  logicalId: string;
  properties: z.infer<typeof AuthorizerProperties>;
}): Authorizer {
  const { name, logicalId: id, properties } = resource;
  const { AuthorizerUri, IdentitySource } = properties;
  return {
    id,
    functionName: functionNameOf(`${name}: property AuthorizerUri`, AuthorizerUri),
    identityHeaders: (IdentitySource === '' ? [] : IdentitySource.split(',')).map((source) => {
      const header = /^method\.request\.header\.([\w-]+)$/.exec(source.trim())?.[1];
      if (header !== undefined) return header.toLowerCase();
      throw new StartError(
        `${name}: property IdentitySource names ${source}; the local gateway supports headers only.`,
      );
    }),
  };
}

/** The authorizer that a method names; `name` is for messages. */
export function findAuthorizer(
  name: string,
  method: { AuthorizationType: 'NONE' | 'CUSTOM'; AuthorizerId?: string | undefined },
  authorizers: ReadonlyMap<string, Authorizer>,
): Authorizer | undefined {
  const { AuthorizationType, AuthorizerId } = method;
  if (AuthorizationType === 'NONE' && AuthorizerId === undefined) return undefined;
  const found = authorizers.get(AuthorizerId ?? '');
  if (AuthorizationType === 'CUSTOM' && found !== undefined) return found;
  throw new StartError(
    `${name}: property AuthorizerId names no authorizer of the API, or AuthorizationType is not CUSTOM.`,
  );
}
