import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const folder = fileURLToPath(new URL('../../contract/operations', import.meta.url));

/** What a program needs to call an operation. */
const Call = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  body: z.enum(['none', 'json', 'upload']),
  envelope: z.enum(['data', 'bare']),
});

/** Method, path and kind of body of every operation, by the name that `contract/operations/` exports it by. */
export async function operationTable(): Promise<Record<string, z.infer<typeof Call>>> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  const table: Record<string, z.infer<typeof Call>> = {};
  for (const file of files.toSorted()) {
    const exported: Record<string, unknown> = await import(`../../contract/operations/${file}`);
    for (const [name, value] of Object.entries(exported)) {
      const call = Call.safeParse(value);
      if (call.success) table[name] = call.data;
    }
  }
  return table;
}
