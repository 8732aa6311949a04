import * as cdk from 'aws-cdk-lib';
import type { RoutedFunction } from './routes.ts';

/** One operation of the OpenAPI document of the REST API. */
export type ApiOperation = Record<string, unknown>;

/** An operation with its place in the document. */
export interface PlacedOperation {
  path: string;
  /** In upper case; `ANY` is every method that has no operation of its own. */
  method: string;
  operation: ApiOperation;
}

/** A response that never varies. */
interface FixedResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Without dollar and number signs: API Gateway takes them for a template. */
  body?: string;
}

/** An operation that API Gateway answers itself, without a function. */
export function fixedResponse({ status, headers, body }: FixedResponse): ApiOperation {
  const entries = Object.entries(headers);
  return {
    responses: {
      [status]: {
        description: 'Always the same',
        // API Gateway refuses to set a header that the operation does not declare.
        headers: Object.fromEntries(
          entries.map(([name]) => [name, { schema: { type: 'string' } }]),
        ),
      },
    },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      // With any other setting, a request whose media type has no template would get a 500.
      passthroughBehavior: 'never',
      requestTemplates: { 'application/json': JSON.stringify({ statusCode: status }) },
      responses: {
        default: {
          statusCode: String(status),
          responseParameters: Object.fromEntries(
            entries.map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]),
          ),
          ...(body !== undefined && { responseTemplates: { 'application/json': body } }),
        },
      },
    },
  };
}

/** An operation whose function makes the whole response (Lambda proxy integration). */
export function functionResponse(group: RoutedFunction): ApiOperation {
  const fn = `arn:\${AWS::Partition}:lambda:\${AWS::Region}:\${AWS::AccountId}:function:\${!stageVariables.${stageVariable(group)}}`;
  return {
    // OpenAPI requires this field.
    responses: {},
    'x-amazon-apigateway-integration': {
      type: 'aws_proxy',
      // The method of Lambda's Invoke API, whatever the method of the request.
      httpMethod: 'POST',
      uri: cdk.Fn.sub(invocationUri(fn)),
    },
  };
}

/**
 * The variable of the stage that holds the name of a group's function. The document cannot refer to the
 * functions themselves: some of them refer to the distribution, which refers to the API.
 */
export function stageVariable(group: string): string {
  return group.replaceAll('-', '_');
}

/** The address at which API Gateway invokes a function, for `Fn::Sub`. */
export function invocationUri(functionArn: string): string {
  return `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/${functionArn}/invocations`;
}
