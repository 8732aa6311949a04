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

/** A resource with its logical id, as each rule gets it. */
export interface Checked {
  id: string;
  type: string;
  properties: Record<string, unknown>;
}

/** A rule says what is wrong with one resource; nothing for resources that are not its business. */
export type Rule = (resource: Checked) => string[];

const ListOrOne = z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]);

/** A value that CloudFormation takes alone or as a list, as a list. */
export function listOf(value: unknown): unknown[] {
  return value === undefined ? [] : ListOrOne.parse(value);
}

/** The object under a key, or an empty one. */
export function objectAt(value: unknown, ...path: string[]): Record<string, unknown> {
  const found = path.reduce<unknown>((at, key) => asObject(at)[key], value);
  return asObject(found);
}

function asObject(value: unknown): Record<string, unknown> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  return parsed.success ? parsed.data : {};
}
