import * as z from 'zod';
import { S3Error } from '../protocol/s3-error.ts';

const Bound = z.coerce.number().int().nonnegative();

const Condition = z.union([
  z.tuple([z.literal('content-length-range'), Bound, Bound]),
  z.tuple([z.enum(['eq', 'starts-with']), z.string().regex(/^\$/), z.string()]),
  z.record(z.string(), z.string()),
]);

/** The decoded policy document of a browser upload. */
export const PostPolicy = z.object({
  expiration: z.iso.datetime(),
  conditions: z.array(Condition),
});
export type PostPolicy = z.infer<typeof PostPolicy>;

/** Allowed size of the file, both ends inclusive. */
export interface SizeLimits {
  minBytes: number;
  maxBytes: number;
}

/** Decodes the base64 policy of a form, or `InvalidPolicyDocument`. */
export function parsePolicy(encoded: string): PostPolicy {
  try {
    return PostPolicy.parse(JSON.parse(Buffer.from(encoded, 'base64').toString()));
  } catch {
    throw new S3Error('InvalidPolicyDocument', 'Invalid Policy: Invalid JSON.');
  }
}

/**
 * Checks a form against its policy and returns the policy's limits for the file's size.
 *
 * Every condition must be met, and every field of the form must be named by a condition: otherwise a
 * user of a signed form could add metadata that its issuer did not allow.
 */
export function checkPolicy(
  policy: PostPolicy,
  fields: Map<string, string>,
  now: Date,
): SizeLimits {
  if (now.getTime() > Date.parse(policy.expiration)) throw refusal('Policy expired.');
  const limits: SizeLimits = { minBytes: 0, maxBytes: Number.MAX_SAFE_INTEGER };
  const named = new Set<string>();
  for (const condition of policy.conditions.flatMap(simplify)) {
    if (condition.kind === 'size') {
      limits.minBytes = Math.max(limits.minBytes, condition.min);
      limits.maxBytes = Math.min(limits.maxBytes, condition.max);
      continue;
    }
    named.add(condition.field);
    if (!isMet(condition, fields.get(condition.field) ?? '')) {
      throw refusal(`Policy Condition failed: ${condition.source}`);
    }
  }
  const extra = [...fields.keys()].filter((name) => !named.has(name) && !isExempt(name));
  if (extra.length > 0) throw refusal(`Extra input fields: ${extra.join(', ')}`);
  return limits;
}

type SimpleCondition =
  | { kind: 'size'; min: number; max: number }
  | { kind: 'eq' | 'starts-with'; field: string; value: string; source: string };

function simplify(condition: z.infer<typeof Condition>): SimpleCondition[] {
  const source = JSON.stringify(condition);
  if (!Array.isArray(condition)) {
    return Object.entries(condition).map(([name, value]) => ({
      kind: 'eq',
      field: name.toLowerCase(),
      value,
      source,
    }));
  }
  if (condition[0] === 'content-length-range') {
    return [{ kind: 'size', min: condition[1], max: condition[2] }];
  }
  const [kind, name, value] = condition;
  return [{ kind, field: name.slice(1).toLowerCase(), value, source }];
}

/** A `Content-Type` with commas is a list: each member must match. */
function isMet(condition: Exclude<SimpleCondition, { kind: 'size' }>, value: string): boolean {
  if (condition.kind === 'eq') return value === condition.value;
  const values = condition.field === 'content-type' ? value.split(',') : [value];
  return values.every((each) => each.startsWith(condition.value));
}

function isExempt(name: string): boolean {
  return name === 'policy' || name === 'x-amz-signature' || name.startsWith('x-ignore-');
}

function refusal(reason: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${reason}`);
}
