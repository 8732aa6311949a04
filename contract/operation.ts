import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/** The Lambda function that serves an operation: one per endpoint group. */
export type FunctionGroup =
  | 'system'
  | 'temp-projects'
  | 'accounts'
  | 'projects'
  | 'versions'
  | 'uploads'
  | 'upload-links'
  | 'workspaces'
  | 'analytics'
  | 'export';

/**
 * One operation of the public interface, and the only place that describes it.
 *
 * HTTP parsing, types and API Gateway routes are made from these objects; an agreement test holds
 * them together with what the functions bind.
 */
export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  /** camelCase; also the OpenAPI operationId. */
  id: string;
  group: FunctionGroup;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path parameters in braces, as API Gateway writes them. */
  path: string;
  summary: string;
  /**
   * `optional`: a key is not needed; one that is sent must be good. A session is a browser's, begun
   * by `POST /v1/session`; a key does not stand in for it, nor it for a key.
   */
  auth: 'none' | 'optional' | 'key' | 'session';
  /** True where the free plan is refused. */
  paid: boolean;
  /** `upload`: a form with files, or JSON that names an `uploadId` in their place. */
  body: 'none' | 'json' | 'upload';
  /** Bytes of JSON that are read; 256 KiB where nothing is said. */
  maxJsonBytes?: number;
  /** Flat: path parameters, query and body fields together; uploaded parts arrive in `files`. */
  input: I;
  output: O;
  /** How malformed input is refused; `INVALID_REQUEST` where nothing is said. */
  invalid?: 'INVALID_REQUEST' | 'VALIDATION_FAILED';
  /** `data` wraps the output as `{status: "success", data}`; `bare` sends it as it is. */
  envelope: 'data' | 'bare';
  status: 200 | 201;
  /** Media types of the answer where it is not JSON; the output is then its text or its bytes. */
  mediaTypes?: readonly string[];
  /** Codes this operation may answer beside those that follow from the fields above. */
  errors: readonly ErrorCode[];
  /** One request and its answer, for the documentation. */
  example: { input: z.input<I>; output: z.input<O> };
}

/** Keeps the exact input and output types of an operation while checking its shape. */
export function operation<I extends z.ZodObject, O extends z.ZodType>(
  definition: Operation<I, O>,
): Operation<I, O> {
  return definition;
}
