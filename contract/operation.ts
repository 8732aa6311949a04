import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/** The Lambda function that serves an operation: one per endpoint group. */
export type FunctionGroup =
  | 'system'
  | 'temp-projects'
  | 'accounts'
  | 'projects'
  | 'versions'
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
  auth: 'none' | 'key';
  /** True where the free plan is refused. */
  paid: boolean;
  body: 'none' | 'json' | 'multipart';
  /** Code of input that does not fit; `INVALID_REQUEST` where nothing is said. */
  invalid?: 'INVALID_REQUEST' | 'VALIDATION_FAILED';
  /** Flat: path parameters, query and body fields together; uploaded parts arrive in `files`. */
  input: I;
  output: O;
  /** `data` wraps the output as `{status: "success", data}`; `bare` sends it as it is. */
  envelope: 'data' | 'bare';
  status: 200 | 201;
  /** Codes this operation may answer beside those any request can meet. */
  errors: readonly ErrorCode[];
}

/** Keeps the exact input and output types of an operation while checking its shape. */
export function operation<I extends z.ZodObject, O extends z.ZodType>(
  definition: Operation<I, O>,
): Operation<I, O> {
  return definition;
}
