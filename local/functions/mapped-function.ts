import * as z from 'zod';
import { arnOf, ofType } from '../assembly/physical-id.ts';
import type { Resource } from '../http/http.ts';
import { StartError } from '../start-error.ts';

/** What an event source mapping has to know of its function. */
export interface MappedFunction {
  arn: string;
  role: string;
  timeoutSeconds: number;
}

const Properties = z.object({ Role: z.string(), Timeout: z.int().default(3) });

/** The function that a mapping names by its name or its ARN; a missing one stops the start. */
export function mappedFunction(
  resources: readonly Resource[],
  functionName: string,
  where: string,
): MappedFunction {
  const target = ofType(resources, 'AWS::Lambda::Function').find((resource) =>
    arnOf(resource).endsWith(`:${functionName.split(':').at(-1)}`),
  );
  if (target === undefined) throw new StartError(`${where}: no function ${functionName}.`);
  const { Role, Timeout } = Properties.parse(target.properties);
  return { arn: arnOf(target), role: Role, timeoutSeconds: Timeout };
}
