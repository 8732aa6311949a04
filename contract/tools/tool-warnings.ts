import * as z from 'zod';

/**
 * Warnings of all kinds in one form, which is shorter in `tools/list` than a choice of forms. Each has
 * the fields of the REST API; those of one kind alone (`line`, `field`, `count`, `paths`) are not listed.
 */
export const ToolWarnings = z.array(
  z.looseObject({
    kind: z.string().optional(),
    file: z.string().optional(),
    message: z.string(),
  }),
);
