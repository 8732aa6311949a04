import * as z from 'zod';

/** One resource of a synthesized template. */
const TemplateResource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});

/** The parts of a CloudFormation template that the checks look at. */
export const Template = z.looseObject({
  Resources: z.record(z.string(), TemplateResource).default({}),
});

/** A resource with its logical id. */
export interface CheckedResource {
  id: string;
  type: string;
  properties: Record<string, unknown>;
}

/** A rule returns its findings about one resource, none for resources of other types. */
export type Rule = (resource: CheckedResource) => string[];

const ListOrOne = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]);

/** A value as a list. CloudFormation allows a single value where it expects a list. */
export function listOf(value: unknown): unknown[] {
  return value === undefined ? [] : ListOrOne.parse(value);
}

/** The object at a path of keys, or an empty object. */
export function objectAt(value: unknown, ...path: string[]): Record<string, unknown> {
  const found = path.reduce<unknown>((at, key) => asObject(at)[key], value);
  return asObject(found);
}

function asObject(value: unknown): Record<string, unknown> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  return parsed.success ? parsed.data : {};
}
