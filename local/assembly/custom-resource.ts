import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { CustomResult } from './deployment.ts';
import { arn } from './resource-type.ts';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { closeServer, portOf } from '../http/service-server.ts';
import { StartError } from '../errors.ts';
import type { StateFile } from '../state/state-file.ts';
import { type Resource, describeResource } from './resource.ts';

/** The state of custom resources, kept between starts. */
export const CustomStates = z.record(
  z.string(),
  z.object({
    physicalId: z.string(),
    data: z.record(z.string(), z.unknown()),
    properties: z.record(z.string(), z.unknown()),
  }),
);
export type CustomStates = z.infer<typeof CustomStates>;

/** The response of a custom resource's function ("Custom resource response objects"). */
const Response = z.object({
  Status: z.enum(['SUCCESS', 'FAILED']),
  Reason: z.string().optional(),
  PhysicalResourceId: z.string().optional(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  Data: z.record(z.string(), z.unknown()).nullish(),
});
type Response = z.infer<typeof Response>;

interface Invoker {
  invoke(functionArn: string, event: unknown): Promise<InvokeResult>;
}

interface CustomRequest {
  type: 'Create' | 'Update' | 'Delete';
  resource: Resource;
  physicalId?: string;
  oldProperties?: Record<string, unknown>;
}

const ANSWER_TIMEOUT_MS = 120_000;

/** A server for one PUT, in place of CloudFormation's presigned S3 URL. */
async function startResponseServer() {
  const path = `/${randomUUID()}`;
  let resolveBody: (body: string) => void = () => undefined;
  const answer = new Promise<string>((resolve) => {
    resolveBody = resolve;
  });
  const server: Server = createServer((request, response) => {
    const isExpected = request.method === 'PUT' && request.url === path;
    response.writeHead(isExpected ? 200 : 403);
    text(request).then(
      (body) => response.end(() => (isExpected ? resolveBody(body) : undefined)),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(server.address())}${path}`;
  return { url, answer, close: () => closeServer(server) };
}

function customResourceEvent(request: CustomRequest, url: string) {
  const { type, resource, physicalId, oldProperties } = request;
  return {
    RequestType: type,
    ResponseURL: url,
    StackId: arn('cloudformation', `stack/${resource.stack}/local`),
    RequestId: randomUUID(),
    ResourceType: resource.type,
    LogicalResourceId: resource.logicalId,
    ResourceProperties: resource.properties,
    ...(physicalId !== undefined && { PhysicalResourceId: physicalId }),
    ...(oldProperties !== undefined && { OldResourceProperties: oldProperties }),
  };
}

/** CloudFormation calls asynchronously: only a failed invocation ends the wait for the response. */
async function rejectOnFailure(result: Promise<InvokeResult>, name: string): Promise<never> {
  const settled = await result;
  if (!settled.ok) throw new StartError(`${name}: ${settled.errorType}: ${settled.errorMessage}`);
  return new Promise<never>(() => undefined);
}

async function callCustomResource(request: CustomRequest, invoker: Invoker): Promise<Response> {
  const { resource } = request;
  const functionArn = z.string().parse(resource.properties['ServiceToken']);
  const address = await startResponseServer();
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    const error = new StartError(
      `${describeResource(resource)}: its function did not respond in time.`,
    );
    timer = setTimeout(() => reject(error), ANSWER_TIMEOUT_MS);
  });
  try {
    const failed = rejectOnFailure(
      invoker.invoke(functionArn, customResourceEvent(request, address.url)),
      describeResource(resource),
    );
    const response = Response.parse(
      JSON.parse(await Promise.race([address.answer, failed, timedOut])),
    );
    if (response.Status === 'SUCCESS') return response;
    throw new StartError(
      `${describeResource(resource)} failed: ${response.Reason ?? 'no reason given'}`,
    );
  } finally {
    clearTimeout(timer);
    await address.close();
  }
}

function isEqualJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** CloudFormation sends numbers and booleans to the function as strings. */
function stringifyValues(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(stringifyValues);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, stringifyValues(item)]),
  );
}

const Properties = z.record(z.string(), z.unknown());

/**
 * Creates a custom resource at the first start and updates it when its properties have changed.
 * An update that returns another physical id deletes the old resource.
 */
export async function runCustomResource(
  original: Resource,
  state: StateFile<CustomStates>,
  invoker: Invoker,
): Promise<CustomResult> {
  const properties = Properties.parse(stringifyValues(original.properties));
  const resource = { ...original, properties };
  const key = `${resource.stack}/${resource.logicalId}`;
  const before = state.read()[key];
  if (before !== undefined && isEqualJson(before.properties, properties)) return before;
  const old = before && { physicalId: before.physicalId, oldProperties: before.properties };
  const request = { type: before === undefined ? 'Create' : 'Update', resource, ...old } as const;
  const response = await callCustomResource(request, invoker);
  const physicalId = response.PhysicalResourceId ?? before?.physicalId;
  if (physicalId === undefined)
    throw new StartError(`${describeResource(resource)}: no PhysicalResourceId.`);
  const result = { physicalId, data: response.Data ?? {}, properties };
  state.write({ ...state.read(), [key]: result });
  if (before !== undefined && before.physicalId !== physicalId) {
    const replaced = { ...resource, properties: before.properties };
    await callCustomResource(
      { type: 'Delete', resource: replaced, physicalId: before.physicalId },
      invoker,
    );
  }
  return result;
}
