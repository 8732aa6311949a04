import * as z from 'zod';
import { physicalId } from '../assembly/resource-types.ts';
import { parseProperties, type Resource } from '../assembly/resource.ts';
import { SuppressionReason } from './suppression-list.ts';

/** A configuration set of the templates. */
export interface ConfigurationSet {
  name: string;
  /** Addresses on the suppression list for one of these reasons get no mail. */
  suppressedReasons: SuppressionReason[];
}

const Properties = z.object({
  SuppressionOptions: z
    .object({ SuppressedReasons: z.array(SuppressionReason).default([]) })
    .prefault({}),
});

/** The configuration set that a resource defines. */
export function configurationSetOf(resource: Resource): ConfigurationSet {
  const { SuppressionOptions } = parseProperties(resource, Properties);
  return { name: physicalId(resource), suppressedReasons: SuppressionOptions.SuppressedReasons };
}
