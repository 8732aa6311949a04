import * as z from 'zod';

/** Warnings of all kinds in one form, which is shorter in `tools/list` than a choice of forms. */
export const ToolWarnings = z.array(
  z.object({
    kind: z.string().optional(),
    field: z.string().optional(),
    file: z.string().optional(),
    line: z.int().optional(),
    message: z.string(),
  }),
);
