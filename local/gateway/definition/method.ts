import { StartError } from '../../errors.ts';
import type { Operation, SecurityScheme } from './openapi-body.ts';

type Source = Operation['x-amazon-apigateway-integration'];
type MockSource = Extract<Source, { type: 'mock' }>;

/** The integration of a method. */
export type Integration =
  | { kind: 'lambda'; functionName: string; timeoutMs: number }
  | {
      kind: 'mock';
      /** Media types of requests; others are refused. */
      mediaTypes: readonly string[];
      answer: { status: number; headers: Record<string, string>; body: string };
    };

/** Values of the stage by their names, for `${stageVariables.<name>}`. */
export type StageVariables = Readonly<Record<string, string>>;

/** Checks and normalises the integration of a method; `where` is for messages. */
export function parseIntegration(
  where: string,
  source: Source,
  variables: StageVariables,
): Integration {
  if (source.type === 'mock') return parseMock(where, source);
  return {
    kind: 'lambda',
    functionName: functionNameOf(`${where}.uri`, source.uri, variables),
    timeoutMs: source.timeoutInMillis,
  };
}

/** `arn:aws:apigateway:<region>:lambda:path/2015-03-31/functions/<function ARN>/invocations`. */
const invocationUri =
  /^arn:aws:apigateway:[a-z0-9-]+:lambda:path\/2015-03-31\/functions\/arn:aws:lambda:[a-z0-9-]+:\d{12}:function:([A-Za-z0-9_-]+)\/invocations$/;

/** The function that an invocation address names; `where` is for messages. */
function functionNameOf(where: string, uri: string, variables: StageVariables): string {
  const address = uri.replaceAll(/\$\{stageVariables\.(\w+)\}/g, (_, name: string) => {
    const value = variables[name];
    if (value !== undefined) return value;
    throw new StartError(`${where} uses ${name}, which is no variable of the stage.`);
  });
  const functionName = invocationUri.exec(address)?.[1];
  if (functionName !== undefined) return functionName;
  throw new StartError(`${where} names no Lambda function: ${address}`);
}

function parseMock(where: string, { requestTemplates, responses }: MockSource): Integration {
  for (const template of Object.values(requestTemplates)) checkStatusTemplate(where, template);
  const { statusCode, responseParameters, responseTemplates } = responses.default;
  const body = responseTemplates?.['application/json'] ?? '';
  if (/[$#]/.test(body)) {
    throw new StartError(
      `${where}.responses holds a template; the local gateway supports fixed text only.`,
    );
  }
  return {
    kind: 'mock',
    mediaTypes: Object.keys(requestTemplates),
    answer: {
      status: statusCode,
      headers: Object.fromEntries(
        Object.entries(responseParameters).map(([target, value]) =>
          mockHeader(where, target, value),
        ),
      ),
      body,
    },
  };
}

function checkStatusTemplate(where: string, template: string): void {
  if (/^\s*\{\s*"statusCode"\s*:\s*\d{3}\s*\}\s*$/.test(template)) return;
  throw new StartError(`${where}.requestTemplates must hold a status code only: ${template}`);
}

function mockHeader(where: string, target: string, source: string): [string, string] {
  const header = /^method\.response\.header\.(.+)$/.exec(target)?.[1];
  const literal = /^'(.*)'$/s.exec(source)?.[1];
  if (header !== undefined && literal !== undefined) return [header.toLowerCase(), literal];
  throw new StartError(
    `${where}.responses maps ${target} from ${source}; only headers with literal values are supported.`,
  );
}

/** A Lambda authorizer of the type REQUEST, whose results are not cached. */
export interface Authorizer {
  id: string;
  functionName: string;
  /** Request headers that must be present for the authorizer to be called. */
  identityHeaders: readonly string[];
}

interface Requirements {
  authorizer: Authorizer | undefined;
  needsApiKey: boolean;
}

/** The schemes that an operation requires; `where` is for messages. */
export function parseSecurity(
  where: string,
  { security }: Operation,
  authorizers: ReadonlyMap<string, Authorizer | 'api key'>,
): Requirements {
  const required = security.flatMap(Object.keys).map((name) => {
    const scheme = authorizers.get(name);
    if (scheme !== undefined) return scheme;
    throw new StartError(`${where}.security names ${name}, which is no security scheme.`);
  });
  const [authorizer, second] = required.filter((scheme) => scheme !== 'api key');
  if (second !== undefined) {
    throw new StartError(`${where}.security names two authorizers; a method has one.`);
  }
  return { authorizer, needsApiKey: required.includes('api key') };
}

/** Checks and normalises a security scheme; `where` is for messages. */
export function parseScheme(
  where: string,
  id: string,
  scheme: SecurityScheme,
): Authorizer | 'api key' {
  const authorizer = scheme['x-amazon-apigateway-authorizer'];
  if (authorizer === undefined) {
    if (id === 'api_key' && scheme.name === 'x-api-key') return 'api key';
    throw new StartError(`${where}.${id} is neither api_key nor an authorizer.`);
  }
  const { authorizerUri, identitySource } = authorizer;
  return {
    id,
    // The service documents no stage variables for authorizers.
    functionName: functionNameOf(`${where}.${id}.authorizerUri`, authorizerUri, {}),
    identityHeaders: (identitySource === '' ? [] : identitySource.split(',')).map((source) => {
      const header = /^method\.request\.header\.([\w-]+)$/.exec(source.trim())?.[1];
      if (header !== undefined) return header.toLowerCase();
      throw new StartError(
        `${where}.${id}.identitySource names ${source}; the local gateway supports headers only.`,
      );
    }),
  };
}
