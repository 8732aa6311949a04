import type * as z from 'zod';
import type { MethodProperties } from './resource-schemas.ts';

type Described = z.infer<typeof MethodProperties>['Integration'];

/** A fixed answer of a MOCK integration. */
interface MockAnswer {
  status: number;
  /** Matched against the status that the request template names; undefined is the default answer. */
  selects: RegExp | undefined;
  headers: Record<string, string>;
  body: string;
}

/** Where a method's answer comes from. */
export type Integration =
  | { kind: 'lambda'; functionName: string; timeoutMs: number }
  | {
      kind: 'mock';
      /** Status by media type of the request. */
      statusByMediaType: ReadonlyMap<string, number>;
      passthrough: 'WHEN_NO_MATCH' | 'WHEN_NO_TEMPLATES' | 'NEVER';
      answers: readonly MockAnswer[];
    };

/** Checks and normalises the integration of a method; `name` is for error lines. */
export function integrationOf(name: string, described: Described): Integration {
  if (described.Type === 'MOCK') {
    return {
      kind: 'mock',
      statusByMediaType: new Map(
        Object.entries(described.RequestTemplates).map(([mediaType, template]) => [
          mediaType,
          mockStatus(name, template),
        ]),
      ),
      passthrough: described.PassthroughBehavior,
      answers: described.IntegrationResponses.map((response) => mockAnswer(name, response)),
    };
  }
  if (described.IntegrationHttpMethod !== 'POST') {
    throw new Error(`${name}: property Integration.IntegrationHttpMethod must be POST for Lambda.`);
  }
  return {
    kind: 'lambda',
    functionName: functionNameOf(`${name}: property Integration.Uri`, described.Uri ?? ''),
    timeoutMs: described.TimeoutInMillis,
  };
}

/** `arn:aws:apigateway:<region>:lambda:path/2015-03-31/functions/<function ARN>/invocations`. */
const invocationUri =
  /^arn:aws:apigateway:[a-z0-9-]+:lambda:path\/2015-03-31\/functions\/arn:aws:lambda:[a-z0-9-]+:\d{12}:function:([A-Za-z0-9_-]+)\/invocations$/;

/** The function that an invocation address names; `where` is for error lines. */
export function functionNameOf(where: string, uri: string): string {
  const functionName = invocationUri.exec(uri)?.[1];
  if (functionName !== undefined) return functionName;
  throw new Error(`${where} names no Lambda function: ${uri}`);
}

/** The service reads the template leniently: CDK writes `{ statusCode: 204 }` without quotes. */
const statusTemplate = /^\s*\{\s*["']?statusCode["']?\s*:\s*["']?(\d{3})["']?\s*\}\s*$/;

function mockStatus(name: string, template: string): number {
  const status = statusTemplate.exec(template)?.[1];
  if (status !== undefined) return Number(status);
  throw new Error(
    `${name}: property Integration.RequestTemplates holds more than a status code: ${template}`,
  );
}

function mockAnswer(name: string, response: Described['IntegrationResponses'][number]): MockAnswer {
  const body = response.ResponseTemplates['application/json'] ?? '';
  if (/[$#]/.test(body)) {
    throw new Error(
      `${name}: property Integration.IntegrationResponses holds a template program; the local gateway gives fixed texts only.`,
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
  throw new Error(
    `${name}: property Integration.IntegrationResponses maps ${target} from ${source}; only headers from literals are known.`,
  );
}
