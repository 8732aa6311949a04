import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { OAuthScope } from './oauth/oauth.ts';
import type { FunctionGroup } from './operation-groups.ts';

/**
 * Which credential an operation needs. `key`: an API key, or a browser session from `POST /v1/session`.
 * `optional`: neither is required, but one that is sent must be valid. `session`: a browser session; a key
 * cannot replace it. `key-only`: a session cannot replace the key. `page`: none, but only pages of this
 * service may call it.
 */
export type Auth = 'none' | 'page' | 'optional' | 'key' | 'key-only' | 'session';

/**
 * One operation of the public interface, and the only place that describes it.
 *
 * HTTP parsing, types and API Gateway routes are generated from these objects; an agreement test
 * compares them with what the functions bind.
 */
export interface Operation<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  A extends Auth = Auth,
  M extends string = string,
> {
  /** camelCase; also the OpenAPI operationId. */
  id: string;
  group: FunctionGroup;
  method: Method;
  /** Path parameters in braces, as API Gateway writes them. */
  path: string;
  summary: string;
  auth: A;
  /**
   * The permissions that a key needs, beside being valid. Default: `projects:read` for a GET and
   * `projects:write` for the others.
   */
  permissions?: readonly OAuthScope[];
  /**
   * Whether a key for some projects alone may call it. Default: if it names one of them as `projectId`.
   * True: also without naming one. False: never, because it makes a project or changes others.
   */
  limitedKeys?: boolean;
  /** True if the operation needs a paid plan; default false. */
  paid: boolean;
  /** `upload`: a form with files, or JSON with an `uploadId` instead; default `none`. */
  body: 'none' | 'json' | 'upload';
  /** Whether a plain body is accepted too, as one file. The edge marks such bodies (`app-viewer-request.js`). */
  takesPlainFile?: true;
  /** Maximum size of a JSON body; default 256 KiB. */
  maxJsonBytes?: number;
  /** Flat: path parameters, query and body fields together. Uploaded parts are in `files`. */
  input: I;
  output: O;
  /** Error code for malformed input; default `INVALID_REQUEST`. */
  invalid?: 'INVALID_REQUEST' | 'VALIDATION_FAILED';
  /** `data` wraps the output as `{status: "success", data}`, the default; `bare` sends it unchanged. */
  envelope: 'data' | 'bare';
  /** Of a success; default 200. */
  status: 200 | 201;
  /** Media types of a response that is not JSON; the output is then a text or bytes. */
  mediaTypes?: readonly M[];
  /** Error codes of this operation, besides those that follow from the fields above; default none. */
  errors: readonly ErrorCode[];
  /** One request and its response, for the documentation. */
  example: { input: z.input<I>; output: z.input<O> };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

const defaults = { paid: false, body: 'none', envelope: 'data', status: 200, errors: [] } as const;

/** A definition: `route` is its method and its path, and what it leaves out has its default. */
type Definition<O extends Operation> = Omit<O, keyof typeof defaults | 'method' | 'path'> &
  Partial<Pick<O, keyof typeof defaults>> & { route: `${Method} /${string}` };

/** Makes an operation of its definition, with the exact types of its input and output. */
export function operation<
  I extends z.ZodObject,
  O extends z.ZodType,
  A extends Auth,
  M extends string = never,
>({ route, ...definition }: Definition<Operation<I, O, A, M>>): Operation<I, O, A, M> {
  const method = methods.find((one) => route.startsWith(`${one} `)) ?? 'GET';
  return { ...defaults, ...definition, method, path: route.slice(method.length + 1) };
}

/**
 * Whether pages of other origins may call this operation and read its responses (CORS): it takes a key,
 * which such a page must hold itself. No response allows cookies of such a page, and its writes in a session
 * are refused by their origin. Never the operations that need a session.
 */
export function isCalledWithKey({ auth }: Pick<Operation, 'auth'>): boolean {
  return auth === 'key' || auth === 'key-only' || auth === 'optional';
}

/** Whether everybody may call an operation, without any credential. */
export function isAnonymous({ auth }: Pick<Operation, 'auth'>): boolean {
  return auth === 'none' || auth === 'page';
}

/** The permissions that a key needs for an operation. */
export function neededPermissions({
  method,
  permissions,
}: Pick<Operation, 'method' | 'permissions'>): readonly OAuthScope[] {
  return permissions ?? [method === 'GET' ? 'projects:read' : 'projects:write'];
}

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * The methods that a path answers, in the order of `Allow` (RFC 9110 §10.2.1): the declared ones, HEAD
 * wherever GET answers, and OPTIONS.
 */
export function allowedMethods(declared: readonly string[]): string[] {
  const answered = new Set([...declared, 'OPTIONS']);
  if (answered.has('GET')) answered.add('HEAD');
  return methodOrder.filter((method) => answered.has(method));
}
