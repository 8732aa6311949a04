import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { CustomResult } from '../assembly/deployment.ts';
import { arn } from '../assembly/resource-type.ts';
import type { Resource } from '../http/http.ts';
import type { InvokeResult } from '../lambda/invoke-result.ts';
import { closed, portOf } from '../http/service-server.ts';
import { StartError } from '../start-error.ts';
import type { StateFile } from '../state/state-file.ts';

/** What is remembered of a custom resource between starts. */
export const CustomStates = z.record(
  z.string(),
  z.object({
    physicalId: z.string(),
    data: z.record(z.string(), z.unknown()),
    properties: z.record(z.string(), z.unknown()),
  }),
);
export type CustomStates = z.infer<typeof CustomStates>;

/** What a custom resource's function answers ("Custom resource response objects"). */
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

function title({ type, logicalId, stack }: Resource): string {
  return `${type} ${logicalId} (stack ${stack})`;
}

/** A one-off address that takes one PUT, in the place of CloudFormation's presigned S3 URL. */
async function answerAddress() {
  const path = `/${randomUUID()}`;
  let take: (body: string) => void = () => undefined;
  const answer = new Promise<string>((resolve) => {
    take = resolve;
  });
  const server: Server = createServer((request, response) => {
    const isOurs = request.method === 'PUT' && request.url === path;
    response.writeHead(isOurs ? 200 : 403);
    text(request).then(
      (body) => response.end(() => (isOurs ? take(body) : undefined)),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(server.address())}${path}`;
  return { url, answer, close: () => closed(server) };
}

function eventOf(request: CustomRequest, url: string) {
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

/** CloudFormation calls asynchronously, so only a failed call ends the wait for the answer. */
async function failure(result: Promise<InvokeResult>, name: string): Promise<never> {
  const settled = await result;
  if (!settled.ok) throw new StartError(`${name}: ${settled.errorType}: ${settled.errorMessage}`);
  return new Promise<never>(() => undefined);
}

async function send(request: CustomRequest, invoker: Invoker): Promise<Response> {
  const { resource } = request;
  const functionArn = z.string().parse(resource.properties['ServiceToken']);
  const address = await answerAddress();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new StartError(`${title(resource)}: its function did not answer.`);
    timer = setTimeout(() => reject(error), ANSWER_TIMEOUT_MS);
  });
  try {
    const failed = failure(
      invoker.invoke(functionArn, eventOf(request, address.url)),
      title(resource),
    );
    const response = Response.parse(JSON.parse(await Promise.race([address.answer, failed, late])));
    if (response.Status === 'SUCCESS') return response;
    throw new StartError(`${title(resource)} failed: ${response.Reason ?? 'no reason given'}`);
  } finally {
    clearTimeout(timer);
    await address.close();
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Property values reach the function as text, as CloudFormation sends numbers and booleans. */
function asText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asText(item)]));
}

const Properties = z.record(z.string(), z.unknown());

/**
 * Creates a custom resource at the first start, updates it when its properties have changed, and
 * leaves it alone otherwise. An update that gives another physical id deletes the old resource.
 */
export async function runCustomResource(
  original: Resource,
  state: StateFile<CustomStates>,
  invoker: Invoker,
): Promise<CustomResult> {
  const properties = Properties.parse(asText(original.properties));
  const resource = { ...original, properties };
  const key = `${resource.stack}/${resource.logicalId}`;
  const before = state.read()[key];
  if (before !== undefined && isSame(before.properties, properties)) return before;
  const old = before && { physicalId: before.physicalId, oldProperties: before.properties };
  const request = { type: before === undefined ? 'Create' : 'Update', resource, ...old } as const;
  const response = await send(request, invoker);
  const physicalId = response.PhysicalResourceId ?? before?.physicalId;
  if (physicalId === undefined) throw new StartError(`${title(resource)}: no PhysicalResourceId.`);
  const result = { physicalId, data: response.Data ?? {}, properties };
  state.write({ ...state.read(), [key]: result });
  if (before !== undefined && before.physicalId !== physicalId) {
    const replaced = { ...resource, properties: before.properties };
    await send({ type: 'Delete', resource: replaced, physicalId: before.physicalId }, invoker);
  }
  return result;
}
